import { loadOrganizationNames, organizationText } from '#commands/kit/organization-names.ts';
import { command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { organization } from '#commands/nouns/people/organization/entity.ts';
import type { Noun } from '#commands/registry/registry.ts';
import { message } from '#commands/text/message.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { accountCommands } from './account.ts';
import { setDecimals } from './decimals.ts';
import { emailCommands } from './email.ts';
import { helpDeskCommands } from './help-desk.ts';
import { membershipCommands } from './membership.ts';
import { emailPreferences, general } from './pages.ts';
import { setDateFormat, setDefaultScreen, setWeekStart } from './preferences.ts';
import { profile } from './profile.ts';
import { loadCurrentUser } from './settings.ts';
import { setUnits } from './units.ts';

const setDefaultOrganization = command({
  id: 'me.set-default-organization',
  requires: 'UPDATE_SELF',
  effect: 'write',
  choosesItem: true,
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
        before: organizationText(context.actor.home, await loadOrganizationNames(context, [context.actor.home])),
        after: organization.label(item),
      },
    ],
    reversible: context.actor.home !== '',
  }),
  run: async (context, { organization: item }) => {
    const { defaultOrganization: before } = await loadCurrentUser(context);
    const request = { organization: organization.id(item) };
    await context.api(CurrentUserService).updateDefaultOrganization(request, { signal: context.signal });
    const doneMessage = message('me:done.defaultOrganization', { name: organization.label(item) });
    return { changed: ['me', 'organization'], message: doneMessage, data: { before } };
  },
  inverse: (_args, { data }) => {
    const { before } = data as { before?: string };
    return before ? [{ id: 'me.set-default-organization', args: { organization: before } }] : [];
  },
});

export const noun: Noun = {
  pages: [profile, general, emailPreferences],
  commands: ({ destinations }) => [
    ...accountCommands,
    ...membershipCommands,
    setDefaultOrganization,
    setDefaultScreen(destinations),
    setDateFormat,
    setWeekStart,
    setUnits,
    setDecimals,
    ...emailCommands,
    ...helpDeskCommands,
  ],
};
