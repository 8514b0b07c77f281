import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Role } from '#proto/gen/hiber/role_pb.ts';
import { UserService, type UpdateUserRoles_RequestSchema } from '#proto/gen/hiber/user_pb.ts';
import { bulkAction, type BulkSpec } from '#commands/kit/bulk-action.ts';
import type { Command } from '#commands/model/command.ts';
import { fingerprint, initialOf } from '#commands/kit/editing.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { givenRoles, grantableRole, role, rolesProblem } from '#commands/nouns/people/role/entity.ts';
import { user } from './entity.ts';
import { isOneself, organizationIdOf, userIdsOf, type UserItem } from './item.ts';

type Identifiers = readonly string[];

type Takes = Pick<typeof givenRoles, 'roles'> & Partial<Pick<typeof givenRoles, 'withoutRoles'>>;

interface RoleChange extends Pick<BulkSpec<UserItem, Takes>, 'keys' | 'initial'> {
  readonly verb: 'set-roles' | 'add-roles' | 'remove-roles';
  readonly takes: Takes;
  readonly after: (now: Identifiers, given: Identifiers) => Identifiers;
  readonly update: (given: string[]) => MessageInitShape<typeof UpdateUserRoles_RequestSchema>['update'];
}

function changing({ verb, takes, after, update, ...spec }: RoleChange): Command {
  const next = ({ user: { roles } }: UserItem, given: readonly Role[] = []): Identifiers =>
    after(roles, given.map(role.id));
  const isLeftWithout = (item: UserItem, given?: readonly Role[]): boolean => next(item, given).length === 0;
  return bulkAction({
    of: user,
    verb,
    requires: 'MANAGE_USERS',
    ...spec,
    params: takes,
    positional: ['roles'],
    problems: (_context, { roles = [], withoutRoles = false }, items) => {
      if (verb === 'set-roles') return rolesProblem({ roles, withoutRoles });
      if (roles.length === 0) return { roles: message('role:validation.required') };
      if (verb === 'add-roles') return rolesProblem({ roles, withoutRoles: false });
      const left = items.find((item) => isLeftWithout(item, roles));
      return left && !withoutRoles
        ? { withoutRoles: message('user:validation.wouldHaveNone', { name: user.label(left) }) }
        : {};
    },
    applies: (item, { roles }) => fingerprint(item.user.roles) !== fingerprint(next(item, roles)),
    change: (item, { roles = [] }) => {
      const wanted = next(item, roles);
      const nameOf = new Map(roles.map((entry) => [entry.identifier, role.label(entry)]));
      return {
        field: message('user:fields.roles'),
        added: wanted.filter((id) => !item.user.roles.includes(id)).map((id) => nameOf.get(id) ?? id),
        // Of what an item has, it knows the names itself.
        removed: item.user.roles.flatMap((id, index) => (wanted.includes(id) ? [] : [item.roles[index] ?? id])),
      };
    },
    // What is easily overlooked: that one takes something from oneself, and that somebody is left with nothing.
    notes: ({ actor }, items, { roles }) => {
      const { length: count } = items.filter((item) => isLeftWithout(item, roles));
      return [
        ...(items.some((item) => isOneself(item, actor)) ? [message('user:plan.yourself')] : []),
        ...(count > 0 ? [message('user:plan.withoutRoles', { count })] : []),
      ];
    },
    organization: organizationIdOf,
    call: async ({ api, organization, signal }, items, { roles = [], withoutRoles = false }) => {
      const request = { organization, userIds: userIdsOf(items), update: update(roles.map(role.id)) };
      await api(UserService).updateUserRoles({ ...request, overrideAllowNoRoles: withoutRoles }, { signal });
    },
    undo: (items) =>
      [...groupBy(items, (item) => JSON.stringify(item.user.roles))].map(([before, group]) => {
        const roles = JSON.parse(before) as string[];
        const users = { ids: group.map(user.id) };
        return { id: 'user.set-roles', args: roles.length > 0 ? { users, roles } : { users, withoutRoles: true } };
      }),
    changed: (items, { actor }) => (items.some((item) => isOneself(item, actor)) ? ['me'] : []),
  });
}

/** A form begins with the roles that they have, to be changed. */
export const setRoles = changing({
  verb: 'set-roles',
  keys: ['r'],
  takes: givenRoles,
  after: (_now, roles) => roles,
  update: (roles) => ({ case: 'replace', value: { roles } }),
  initial: (items) => initialOf({ roles: { now: ({ user: { roles } }: UserItem) => roles } }, items),
});

export const addRoles = changing({
  verb: 'add-roles',
  takes: { roles: required(p.refs(() => grantableRole)) },
  after: (now, given) => [...new Set([...now, ...given])],
  update: (add) => ({ case: 'modify', value: { add } }),
});

export const removeRoles = changing({
  verb: 'remove-roles',
  // Also those that one may not give can be taken away.
  takes: { roles: required(p.refs(() => role)), withoutRoles: givenRoles.withoutRoles },
  after: (now, given) => now.filter((value) => !given.includes(value)),
  update: (remove) => ({ case: 'modify', value: { remove } }),
});

export const roleCommands: readonly Command[] = [setRoles, addRoles, removeRoles];
