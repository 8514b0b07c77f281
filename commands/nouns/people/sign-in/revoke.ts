import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { command } from '#commands/model/command.ts';
import { countOf } from '#commands/kit/edit-command.ts';
import { message } from '#commands/text/message.ts';
import { namedIf, signIn, signInsOf } from './entity.ts';

/** Nobody can sign in for somebody else, so there is no way back. */
export const revokeSignIn = bulkAction({
  of: signIn,
  verb: 'revoke',
  target: 'signIns',
  requires: 'UPDATE_SELF',
  keys: ['d'],
  change: () => ({
    field: message('sign-in:fields.state'),
    before: message('sign-in:state.signedIn'),
    after: message('sign-in:state.signedOut'),
  }),
  notes: (_context, items) => (items.some(({ current }) => current) ? [message('sign-in:plan.this')] : []),
  last: ({ current }) => current,
  size: 1,
  call: async ({ api, organization, signal }, items) => {
    await api(SessionService).revoke({ ...namedIf(organization), ids: items.map(({ id }) => id) }, { signal });
  },
});

export const revokeOthers = command({
  id: 'sign-in.revoke-others',
  requires: 'UPDATE_SELF',
  effect: 'write',
  plan: async (context) => {
    const others = (await signInsOf(context)).filter(({ current }) => !current);
    return {
      summary: message('sign-in:plan.others', { items: countOf(signIn, others.length) }),
      count: others.length,
      changes: [],
      reversible: false,
    };
  },
  run: async (context) => {
    const { revoked } = await context
      .api(SessionService)
      .revoke(namedIf(context.organization.id), { signal: context.signal });
    return { changed: ['sign-in'], message: message('sign-in:done.revoke', { count: revoked }) };
  },
});
