import { bulkAction } from '#commands/kit/bulk-action.ts';
import { countText } from '#commands/kit/edit-plan.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';

import { organizationField, signIn, listSignIns } from './entity.ts';

/** Cannot be undone because only the user can sign in again. */
export const revokeSignIn = bulkAction({
  entity: signIn,
  verb: 'revoke',
  target: 'signIns',
  requires: 'UPDATE_SELF',
  keys: [LETTERS.remove],
  change: () => ({
    field: message('sign-in:fields.state'),
    before: message('sign-in:state.signedIn'),
    after: message('sign-in:state.signedOut'),
  }),
  notes: (_context, items) => (items.some(({ current }) => current) ? [message('sign-in:plan.includesCurrent')] : []),
  isLast: ({ current }) => current,
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(SessionService).revoke(
      { ...organizationField(organization), ids: items.map(({ id }) => id) },
      { signal },
    );
  },
});

export const revokeOthers = command({
  id: 'sign-in.revoke-others',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const others = (await listSignIns(context)).filter(({ current }) => !current);
    return {
      summary: message('sign-in:plan.others', { items: countText(signIn, others.length) }),
      count: others.length,
      changes: [],
      reversible: false,
    };
  },
  run: async (context) => {
    const { revoked } = await context
      .api(SessionService)
      .revoke(organizationField(context.organization.id), { signal: context.signal });
    return { changed: ['sign-in'], message: message('sign-in:done.revoke', { count: revoked }) };
  },
});
