import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { bulkAction } from '#commands/kit/bulk-action.ts';
import { message } from '#commands/text/message.ts';
import { p } from '#commands/model/params.ts';
import { user } from './entity.ts';
import { isOneself, organizationIdOf, userIdsOf } from './item.ts';

/** What the membership held is gone: roles, email subscriptions, tokens (contract: UserService). */
export const removeUser = bulkAction({
  of: user,
  verb: 'remove',
  effect: 'destructive',
  requires: 'MANAGE_USERS',
  params: { allTokens: p.flag() },
  change: ({ roles }) => ({
    field: message('user:fields.membership'),
    before: roles.join(', ') || undefined,
    after: undefined,
  }),
  notes: ({ actor }, items, { allTokens }) => [
    ...(items.some((item) => isOneself(item, actor)) ? [message('user:plan.yourself')] : []),
    message(allTokens ? 'user:plan.allTokens' : 'user:plan.someTokens'),
    message('user:plan.subscriptions'),
  ],
  // A name need not be unique, nor made of letters that can be typed; an address is.
  confirm: ({ user: { email, id } }) => email || id,
  last: (item, { actor }) => isOneself(item, actor),
  size: 1,
  organization: organizationIdOf,
  call: async ({ api, organization, signal }, items, { allTokens }) => {
    const request = { organization, userIds: userIdsOf(items), removeAllTokens: allTokens };
    await api(UserService).remove(request, { signal });
  },
  changed: (items, { actor }) => ['token', ...(items.some((item) => isOneself(item, actor)) ? ['me'] : [])],
});
