import { SessionService } from '#proto/quarterdeck/session/v1/session_service_pb';
import { inBatches } from '../core/batch.ts';
import { command } from '../core/command.ts';
import { countOf } from '../core/edit-command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { namedIf, signIn, signInsOf } from './entity.ts';

/** Nobody can sign in for somebody else, so there is no way back. */
export const revokeSignIn = command({
  id: 'sign-in.revoke',
  on: () => signIn,
  requires: 'UPDATE_SELF',
  effect: 'write',
  keys: ['d'],
  params: { signIns: p.many(() => signIn) },
  positional: ['signIns'],
  plan: async (_context, { signIns: { items } }) => ({
    summary: message('sign-in:plan.revoke', { items: countOf(signIn, items.length) }),
    count: items.length,
    changes: items.map((item) => ({
      id: item.id,
      label: signIn.label(item),
      field: message('sign-in:fields.state'),
      before: message('sign-in:state.signedIn'),
      after: message('sign-in:state.signedOut'),
    })),
    notes: items.some(({ current }) => current) ? [message('sign-in:plan.this')] : [],
    reversible: false,
  }),
  run: async (context, { signIns: { items } }) => {
    // The one that these calls are made from goes last, or the others could not follow.
    const ordered = items.toSorted((a, b) => Number(a.current) - Number(b.current));
    const results = await inBatches(context, {
      items: ordered,
      id: ({ id }) => id,
      label: signIn.label,
      size: 1,
      each: async ([item], { api, organization, signal }) => {
        await api(SessionService).revoke({ ...namedIf(organization.id), ids: [item!.id] }, { signal });
      },
    });
    const { length: count } = succeeded({ results });
    return { changed: ['sign-in'], results, said: message('sign-in:said.revoked', { count }) };
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
    return { changed: ['sign-in'], said: message('sign-in:said.revoked', { count: revoked }) };
  },
});
