import { toJson } from '@bufbuild/protobuf';

import { CurrentUserSchema, CurrentUserService } from '#proto/hiber/current_user_pb';
import { command } from '../core/command.ts';
import { need } from '../core/context.ts';
import type { AnyEntity } from '../core/entity.ts';
import { message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import type { Noun } from '../core/registry.ts';
import { organization } from '../organization/entity.ts';
import { membershipCommands } from './membership.ts';
import { changeSetting, currentUser, defaultScreen } from './settings.ts';

const show = command({
  id: 'me.show',
  effect: 'read',
  needs: ['output'],
  run: async (context) => {
    need(context, 'output').json(toJson(CurrentUserSchema, await currentUser(context)));
    return {};
  },
});

const signOut = command({
  id: 'me.sign-out',
  effect: 'navigate',
  needs: ['session'],
  run: async (context) => {
    await need(context, 'session').signOut();
    return { said: message('me:said.signedOut') };
  },
});

const acceptTerms = command({
  id: 'me.accept-terms',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: { accept: required(p.flag({ check: (value) => (value ? undefined : message('me:validation.terms')) })) },
  run: async (context) => {
    await context.api(CurrentUserService).acceptTermsAndConditions({ acceptTac: true }, { signal: context.signal });
    return { said: message('me:said.acceptedTerms') };
  },
});

const setDefaultOrganization = command({
  id: 'me.set-default-organization',
  requires: 'UPDATE_SELF',
  effect: 'write',
  params: { organization: required(p.ref(() => organization)) },
  positional: ['organization'],
  plan: async (context, { organization: item }) => ({
    summary: message('me:plan.defaultOrganization', { name: organization.label(item) }),
    count: 1,
    changes: [
      {
        id: context.actor.id,
        label: context.actor.name,
        field: message('me:fields.defaultOrganization'),
        before: context.actor.home || undefined,
        after: organization.id(item),
      },
    ],
    reversible: context.actor.home !== '',
  }),
  run: async (context, { organization: item }) => {
    const { defaultOrganization: before } = await currentUser(context);
    const request = { organization: organization.id(item) };
    await context.api(CurrentUserService).updateDefaultOrganization(request, { signal: context.signal });
    const said = message('me:said.defaultOrganization', { name: organization.label(item) });
    return { changed: ['me', 'organization'], said, data: { before } };
  },
  inverse: (_args, { data }) => {
    const { before } = data as { before?: string };
    return before ? [{ id: 'me.set-default-organization', args: { organization: before } }] : [];
  },
});

function setDefaultScreen(screens: readonly string[]) {
  return command({
    id: 'me.set-default-screen',
    requires: 'UPDATE_SELF',
    effect: 'write',
    params: { screen: required(p.choice(screens)) },
    positional: ['screen'],
    run: async (context, { screen }) => {
      const before = defaultScreen(await currentUser(context));
      await changeSetting(context, 'defaultScreen', screen);
      return { changed: ['me'], said: message('me:said.defaultScreen', { screen }), data: { before } };
    },
    inverse: (_args, { data }) => {
      const { before } = data as { before: string };
      return screens.includes(before) ? [{ id: 'me.set-default-screen', args: { screen: before } }] : [];
    },
  });
}

/** `entities` are those of the product: their screens are what can be opened first. */
export function meNoun(entities: readonly AnyEntity[]): Noun {
  const screens = entities.flatMap(({ screen }) => screen?.path ?? []);
  return {
    commands: [show, signOut, acceptTerms, setDefaultOrganization, setDefaultScreen(screens), ...membershipCommands],
  };
}
