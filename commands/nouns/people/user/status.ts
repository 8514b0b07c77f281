import { bulkAction, type BulkSpec, type CallContext } from '#commands/kit/bulk-action.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { toggle } from '#commands/kit/toggle.ts';
import type { Command } from '#commands/model/command.ts';
import { message } from '#commands/text/message.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';

import { user } from './entity.ts';
import { isSelf, isSuspended, organizationIdOf, userIdsOf, type UserItem } from './item.ts';

type Spec = BulkSpec<UserItem, Record<never, never>>;
type Note = 'user:plan.tokensKeepWorking' | 'user:plan.resetLink';
type Send = (context: CallContext, request: { organization: string; userIds: string[] }) => Promise<unknown>;

/** Sends one member per call, because a call may succeed for one member and fail for another. */
const memberSpec = { entity: user, requires: 'MANAGE_USERS', size: 1, organization: organizationIdOf } as const;

/** Builds the call for each member and the notes in the plan. */
function callAndNotes(send: Send, note?: Note): Required<Pick<Spec, 'notes' | 'call'>> {
  return {
    notes: ({ actor }, items) => [
      ...(items.some((item) => isSelf(item, actor)) ? [message('user:plan.yourself')] : []),
      ...(note ? [message(note)] : []),
    ],
    call: async (context, items) => {
      await send(context, { organization: context.organization, userIds: userIdsOf(items) });
    },
  };
}

/** Suspends members. The server rejects members who also belong to another organization (contract: UserService). */
const suspension = toggle({
  ...memberSpec,
  field: message('user:fields.status'),
  current: (item) => message(isSuspended(item) ? 'user:status.suspended' : 'user:status.active'),
  on: {
    verb: 'suspend',
    keys: [LETTERS.pause],
    appliesTo: (item) => !isSuspended(item),
    state: message('user:status.suspended'),
    // Their tokens keep working (contract: UserService).
    ...callAndNotes(
      ({ api, signal }, request) => api(UserService).suspend(request, { signal }),
      'user:plan.tokensKeepWorking',
    ),
  },
  off: {
    verb: 'unsuspend',
    keys: [LETTERS.resume],
    appliesTo: isSuspended,
    state: message('user:status.active'),
    ...callAndNotes(({ api, signal }, request) => api(UserService).unsuspend(request, { signal })),
  },
});

const resetPassword = bulkAction({
  ...memberSpec,
  verb: 'reset-password',
  ...callAndNotes(
    ({ api, signal }, { organization, userIds: [userId = ''] }) =>
      api(UserService).resetPassword({ organization, userId }, { signal }),
    'user:plan.resetLink',
  ),
});

const revokeSessions = bulkAction({
  ...memberSpec,
  verb: 'revoke-sessions',
  ...callAndNotes(
    ({ api, signal }, request) => api(UserService).revokeSession(request, { signal }),
    'user:plan.tokensKeepWorking',
  ),
});

const removeRoleOverride = bulkAction({
  ...memberSpec,
  verb: 'remove-role-override',
  appliesTo: ({ user: { hasActiveRoleOverride } }) => hasActiveRoleOverride,
  change: () => ({
    field: message('user:fields.override'),
    before: message('user:override.tried'),
    after: message('user:override.own'),
  }),
  changed: (items, { actor }) => (items.some((item) => isSelf(item, actor)) ? ['me'] : []),
  ...callAndNotes(({ api, signal }, request) => api(UserService).removeRoleOverride(request, { signal })),
});

export const statusCommands: readonly Command[] = [
  suspension.on,
  suspension.off,
  resetPassword,
  revokeSessions,
  removeRoleOverride,
];
