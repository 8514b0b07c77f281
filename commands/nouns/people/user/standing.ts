import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { bulkAction, type BulkSpec, type CallContext } from '#commands/kit/bulk-action.ts';
import type { Command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { user } from './entity.ts';
import { isOneself, isSuspended, organizationIdOf, userIdsOf, type UserItem } from './item.ts';

interface Standing extends Pick<
  BulkSpec<UserItem, Record<never, never>>,
  'keys' | 'applies' | 'change' | 'undo' | 'changed'
> {
  readonly verb: 'suspend' | 'unsuspend' | 'reset-password' | 'revoke-sessions' | 'remove-role-override';
  readonly note?: 'user:plan.tokensGoOn' | 'user:plan.resetMail';
  readonly send: (context: CallContext, request: { organization: string; userIds: string[] }) => Promise<unknown>;
}

/** What is done to members one by one, without anything more to say. */
function standing({ note, send, ...spec }: Standing): Command {
  return bulkAction({
    of: user,
    requires: 'MANAGE_USERS',
    ...spec,
    notes: ({ actor }, items) => [
      ...(items.some((item) => isOneself(item, actor)) ? [message('user:plan.yourself')] : []),
      ...(note ? [message(note)] : []),
    ],
    // A call may succeed for one and fail for another.
    size: 1,
    organization: organizationIdOf,
    call: async (context, items) => {
      await send(context, { organization: context.organization, userIds: userIdsOf(items) });
    },
  });
}

const status = message('user:fields.status');
const active = message('user:status.active');
const suspended = message('user:status.suspended');

/** Tokens go on; only for members of this organization alone (contract: UserService). */
export const suspend = standing({
  verb: 'suspend',
  keys: ['p'],
  applies: (item) => !isSuspended(item),
  change: () => ({ field: status, before: active, after: suspended }),
  undo: 'unsuspend',
  note: 'user:plan.tokensGoOn',
  send: ({ api, signal }, request) => api(UserService).suspend(request, { signal }),
});

export const unsuspend = standing({
  verb: 'unsuspend',
  keys: ['Shift+P'],
  applies: isSuspended,
  change: () => ({ field: status, before: suspended, after: active }),
  undo: 'suspend',
  send: ({ api, signal }, request) => api(UserService).unsuspend(request, { signal }),
});

export const resetPassword = standing({
  verb: 'reset-password',
  note: 'user:plan.resetMail',
  send: ({ api, signal }, { organization, userIds: [userId = ''] }) =>
    api(UserService).resetPassword({ organization, userId }, { signal }),
});

export const revokeSessions = standing({
  verb: 'revoke-sessions',
  note: 'user:plan.tokensGoOn',
  send: ({ api, signal }, request) => api(UserService).revokeSession(request, { signal }),
});

export const removeRoleOverride = standing({
  verb: 'remove-role-override',
  applies: ({ user: { hasActiveRoleOverride } }) => hasActiveRoleOverride,
  change: () => ({
    field: message('user:fields.override'),
    before: message('user:override.tried'),
    after: message('user:override.own'),
  }),
  changed: (items, { actor }) => (items.some((item) => isOneself(item, actor)) ? ['me'] : []),
  send: ({ api, signal }, request) => api(UserService).removeRoleOverride(request, { signal }),
});

export const standingCommands: readonly Command[] = [
  suspend,
  unsuspend,
  resetPassword,
  revokeSessions,
  removeRoleOverride,
];
