import { UserService } from '#proto/hiber/user_pb';
import { command, type Command } from '../core/command.ts';
import type { Context } from '../core/context.ts';
import { countOf } from '../core/edit-command.ts';
import type { Invocation } from '../core/invocation.ts';
import { message, type Message } from '../core/message.ts';
import { p } from '../core/params.ts';
import { succeeded, type Outcome } from '../core/result.ts';
import { isSuspended } from './columns.ts';
import { user } from './entity.ts';
import { changeUsers, type UserItem } from './item.ts';

interface Standing {
  readonly verb: 'suspend' | 'unsuspend' | 'reset-password' | 'revoke-sessions' | 'remove-role-override';
  readonly keys?: readonly string[];
  /** Whom it changes; those that it would leave as they are, are not sent. */
  readonly applies: (item: UserItem) => boolean;
  /** What the plan says of each; absent where nothing that is shown changes. */
  readonly change?: { readonly field: Message; readonly before: Message; readonly after: Message };
  /** The verb that undoes it. */
  readonly inverse?: string;
  readonly notes?: readonly Message[];
  readonly send: (
    context: Context,
    request: { organization: string; userIds: string[] },
    options: { signal: AbortSignal },
  ) => Promise<unknown>;
}

/** What is done to members one by one, without anything more to say. */
function standing({ verb, keys, applies, change, inverse, notes = [], send }: Standing): Command {
  return command({
    id: `user.${verb}`,
    on: () => user,
    requires: 'MANAGE_USERS',
    effect: 'write',
    ...(keys ? { keys } : {}),
    params: { users: p.many(() => user) },
    positional: ['users'],
    plan: async ({ actor }, { users: { items } }) => {
      const affected = items.filter(applies);
      const same = items.length - affected.length;
      return {
        summary: message(`user:plan.${verb}`, { items: countOf(user, affected.length) }),
        count: affected.length,
        changes: change ? affected.map((item) => ({ id: user.id(item), label: user.label(item), ...change })) : [],
        notes: [
          ...(affected.some((item) => item.user.id === actor.id) ? [message('user:plan.yourself')] : []),
          ...(same > 0 ? [message('common:plan.same', { count: same })] : []),
          ...notes,
        ],
        reversible: inverse !== undefined,
      };
    },
    run: async (context, { users: { items } }) => {
      const affected = items.filter(applies);
      const results = await changeUsers(context, affected, (request, inside) =>
        send(inside, request, { signal: inside.signal }),
      );
      const { length: count } = succeeded({ results });
      const own = verb === 'remove-role-override' && affected.some((item) => item.user.id === context.actor.id);
      return {
        changed: ['user', ...(own ? ['me'] : [])],
        results,
        said: count === 0 ? message('common:said.nothing') : message(`user:said.${verb}`, { count }),
      };
    },
    ...(inverse ? { inverse: (_args: unknown, outcome: Outcome) => undoneBy(inverse, outcome) } : {}),
  });
}

function undoneBy(verb: string, outcome: Outcome): readonly Invocation[] {
  const ids = succeeded(outcome).map(({ id }) => id);
  return ids.length > 0 ? [{ id: `user.${verb}`, args: { users: { ids } } }] : [];
}

const always = (): boolean => true;
const status = message('user:fields.status');
const active = message('user:status.active');
const suspended = message('user:status.suspended');

/** Tokens go on; only for members of this organization alone (contract: UserService). */
export const suspend = standing({
  verb: 'suspend',
  keys: ['p'],
  applies: (item) => !isSuspended(item),
  change: { field: status, before: active, after: suspended },
  inverse: 'unsuspend',
  notes: [message('user:plan.tokensGoOn')],
  send: ({ api }, request, options) => api(UserService).suspend(request, options),
});

export const unsuspend = standing({
  verb: 'unsuspend',
  keys: ['Shift+P'],
  applies: isSuspended,
  change: { field: status, before: suspended, after: active },
  inverse: 'suspend',
  send: ({ api }, request, options) => api(UserService).unsuspend(request, options),
});

export const resetPassword = standing({
  verb: 'reset-password',
  applies: always,
  notes: [message('user:plan.resetMail')],
  send: ({ api }, { organization, userIds: [userId = ''] }, options) =>
    api(UserService).resetPassword({ organization, userId }, options),
});

export const revokeSessions = standing({
  verb: 'revoke-sessions',
  applies: always,
  notes: [message('user:plan.tokensGoOn')],
  send: ({ api }, request, options) => api(UserService).revokeSession(request, options),
});

export const removeRoleOverride = standing({
  verb: 'remove-role-override',
  applies: ({ user: { hasActiveRoleOverride } }) => hasActiveRoleOverride,
  change: {
    field: message('user:fields.override'),
    before: message('user:override.tried'),
    after: message('user:override.own'),
  },
  send: ({ api }, request, options) => api(UserService).removeRoleOverride(request, options),
});

export const standingCommands: readonly Command[] = [
  suspend,
  unsuspend,
  resetPassword,
  revokeSessions,
  removeRoleOverride,
];
