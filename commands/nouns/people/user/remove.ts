import { bulkAction } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { p } from '#commands/model/params.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

import { user } from './entity.ts';
import { isSelf, organizationIdOf, userIdsOf } from './item.ts';

/** Removes members along with their roles, email subscriptions, and tokens (contract: UserService). */
export const removeUser = bulkAction({
  entity: user,
  verb: 'remove',
  effect: 'destructive',
  requires: 'MANAGE_USERS',
  keys: [LETTERS.remove],
  params: { allTokens: p.flag() },
  change: ({ roles }) => ({
    field: message('user:fields.membership'),
    before: roles.join(', ') || undefined,
    after: undefined,
  }),
  notes: ({ actor }, items, { allTokens }) => [
    ...(items.some((item) => isSelf(item, actor)) ? [message('user:plan.yourself')] : []),
    message(allTokens ? 'user:plan.allTokens' : 'user:plan.someTokens'),
    message('user:plan.subscriptions'),
  ],
  // Names can be shared or hard to type, but email addresses are unique.
  confirm: ({ user: { email, id } }) => email || id,
  isLast: (item, { actor }) => isSelf(item, actor),
  size: 1,
  organization: organizationIdOf,
  call: async ({ api, organization, signal }, items, { allTokens }) => {
    const request = { organization, userIds: userIdsOf(items), removeAllTokens: allTokens };
    await api(UserService).remove(request, { signal });
  },
  changed: (items, { actor }) => ['token', ...(items.some((item) => isSelf(item, actor)) ? ['me'] : [])],
});
