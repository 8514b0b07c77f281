import { UserService } from '#proto/hiber/user_pb';
import { command } from '../core/command.ts';
import { countOf } from '../core/edit-command.ts';
import { message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded } from '../core/result.ts';
import { user } from './entity.ts';
import { changeUsers } from './item.ts';

/** What the membership held is gone: roles, email subscriptions, tokens (contract: UserService). */
export const removeUser = command({
  id: 'user.remove',
  on: () => user,
  requires: 'MANAGE_USERS',
  effect: 'destructive',
  params: { users: p.many(() => user), allTokens: p.flag() },
  positional: ['users'],
  plan: async ({ actor }, { users: { items }, allTokens }) => ({
    summary: message('user:plan.remove', { items: countOf(user, items.length) }),
    count: items.length,
    changes: items.map((item) => ({
      id: user.id(item),
      label: user.label(item),
      field: message('user:fields.membership'),
      before: item.roles.join(', ') || undefined,
      after: undefined,
    })),
    notes: [
      ...(items.some((item) => item.user.id === actor.id) ? [message('user:plan.yourself')] : []),
      message(allTokens ? 'user:plan.allTokens' : 'user:plan.someTokens'),
      message('user:plan.subscriptions'),
    ],
    reversible: false,
    // A name need not be unique, nor made of letters that can be typed; an address is.
    confirm: items.length === 1 ? items[0]!.user.email || items[0]!.user.id : `${items.length}`,
  }),
  run: async (context, { users: { items }, allTokens }) => {
    // Oneself goes last, or the others could not follow.
    const ordered = items.toSorted(
      (a, b) => Number(a.user.id === context.actor.id) - Number(b.user.id === context.actor.id),
    );
    const results = await changeUsers(context, ordered, (request, { api, signal }) =>
      api(UserService).remove({ ...request, removeAllTokens: allTokens }, { signal }),
    );
    const { length: count } = succeeded({ results });
    const own = items.some((item) => item.user.id === context.actor.id);
    return {
      changed: ['user', 'token', ...(own ? ['me'] : [])],
      results,
      said: message('user:said.removed', { count }),
    };
  },
});
