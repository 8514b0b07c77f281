import { toJson } from '@bufbuild/protobuf';

import { loadOrganizationNames, organizationText } from '#commands/kit/organization-names.ts';
import type { DetailField } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import type { IdentityAccount } from '#commands/model/host.ts';
import { page } from '#commands/model/page.ts';
import { loadRoleNames } from '#commands/nouns/people/role/entity.ts';
import { USER } from '#commands/nouns/tab-groups.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';
import { CurrentUserSchema, type CurrentUser } from '#proto/gen/hiber/current_user_pb.ts';

import { loadCurrentUser } from './settings.ts';

interface Profile {
  readonly user: CurrentUser;
  /** Names of the organizations that the user is a member of. */
  readonly organizations: readonly (string | Message)[];
  readonly home: string | Message | undefined;
  /** Names of the user's roles in the current organization. */
  readonly roles: readonly string[];
  /** The account at the identity provider. Undefined in the CLI and for users who signed in with a token. */
  readonly account: IdentityAccount | undefined;
}

async function loadProfile(context: Context): Promise<Profile> {
  const user = await loadCurrentUser(context);
  const { defaultOrganization = '' } = user;
  const names = await loadOrganizationNames(context, [...user.organizations, defaultOrganization]);
  return {
    user,
    organizations: user.organizations.flatMap((id) => organizationText(id, names) ?? []),
    roles: await loadRoleNames(context, user.roles),
    home: organizationText(defaultOrganization, names),
    account: context.host.identity?.current(),
  };
}

const verified: DetailField<Profile> = {
  id: 'verified',
  kind: 'status',
  value: ({ account: signedIn }) => signedIn && message(signedIn.emailVerified ? 'me:verified.yes' : 'me:verified.no'),
  level: ({ account: signedIn }) => (signedIn?.emailVerified ? 'ok' : 'warning'),
};

const SIGN_IN_METHODS: Readonly<Record<string, Message>> = {
  password: message('me:signInMethod.password'),
  'google.com': message('me:signInMethod.google'),
};

/** Returns the name of a sign-in method, or its id if this console does not offer it. */
const signInMethodText = (provider: string): Message =>
  SIGN_IN_METHODS[provider] ?? message('me:signInMethod.other', { provider });

/** The user's profile. The console also shows it instead of a page that the user has no access to (spec 2: /user). */
export const profile = page<Profile>({
  noun: 'me',
  name: 'profile',
  screen: { path: '/user/profile', aliases: ['/user'], key: 'g y', tabs: USER },
  changedBy: ['me', 'organization'],
  load: loadProfile,
  json: ({ user }) => toJson(CurrentUserSchema, user),
  sections: [
    {
      id: 'person',
      details: [
        { id: 'name', kind: 'text', value: ({ user }) => user.name },
        { id: 'email', kind: 'text', value: ({ user }) => user.email },
        verified,
        { id: 'id', kind: 'mono', value: ({ user }) => user.id },
      ],
    },
    {
      id: 'organizations',
      hint: true,
      details: [
        { id: 'organizations', kind: 'text', value: ({ organizations }) => listMessage(organizations) },
        { id: 'home', kind: 'text', value: ({ home }) => home },
        { id: 'roles', kind: 'text', value: ({ roles }) => roles.join(', ') || undefined },
        {
          id: 'requested',
          kind: 'text',
          // Only members can see an organization's name.
          value: ({ user }) =>
            listMessage(user.requestedOrganizations.flatMap((id) => organizationText(id, undefined) ?? [])),
        },
      ],
      actions: [
        { command: 'me.set-default-organization', as: 'button' },
        { command: 'me.request-access', as: 'button' },
        {
          command: 'me.cancel-request',
          as: 'button',
          when: ({ user }) => user.requestedOrganizations.length > 0,
        },
      ],
    },
    {
      id: 'security',
      hint: true,
      details: [
        {
          id: 'providers',
          kind: 'text',
          value: ({ account: signedIn }) => signedIn && listMessage(signedIn.providers.map(signInMethodText)),
        },
        {
          id: 'factors',
          kind: 'text',
          value: ({ account: signedIn }) =>
            signedIn && (signedIn.factors.length > 0 ? signedIn.factors.join(', ') : message('me:factors.none')),
        },
      ],
      actions: [
        { command: 'me.change-password', as: 'button' },
        { command: 'me.second-factors', as: 'button' },
        { command: 'sign-in.list', as: 'button' },
        { command: 'me.sign-out', as: 'button' },
      ],
    },
    { id: 'leave', hint: true, actions: [{ command: 'me.delete-account', as: 'button' }] },
  ],
});
