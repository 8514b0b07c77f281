import type { MessageInitShape } from '@bufbuild/protobuf';

import type { BulkSpec } from '#commands/kit/bulk-action.ts';
import { createInitial } from '#commands/kit/editing.ts';
import { LETTERS } from '#commands/kit/letters.ts';
import { listChange, type Names } from '#commands/kit/list-change.ts';
import type { Command } from '#commands/model/command.ts';
import { p, required } from '#commands/model/params.ts';
import { grantableRole, role, roleParams, rolesProblem } from '#commands/nouns/people/role/entity.ts';
import { message } from '#commands/text/message.ts';
import type { Role } from '#proto/gen/hiber/role_pb.ts';
import { UserService, type UpdateUserRoles_RequestSchema } from '#proto/gen/hiber/user_pb.ts';

import { user } from './entity.ts';
import { isSelf, organizationIdOf, userIdsOf, type UserItem } from './item.ts';

type RoleParams = Pick<typeof roleParams, 'roles'> & Partial<Pick<typeof roleParams, 'withoutRoles'>>;

interface RoleChange extends Pick<BulkSpec<UserItem, RoleParams>, 'keys' | 'initial'> {
  readonly verb: 'set-roles' | 'add-roles' | 'remove-roles';
  readonly params: RoleParams;
  readonly after: (current: Names, roles: Names) => Names;
  readonly update: (roles: string[]) => MessageInitShape<typeof UpdateUserRoles_RequestSchema>['update'];
}

function roleCommand({ verb, params, after, update, ...spec }: RoleChange): Command {
  const rolesAfter = (item: UserItem, roles: readonly Role[] = []): Names => after(item.user.roles, roles.map(role.id));
  const wouldHaveNoRoles = (item: UserItem, roles?: readonly Role[]): boolean => rolesAfter(item, roles).length === 0;
  return listChange({
    entity: user,
    verb,
    requires: 'MANAGE_USERS',
    ...spec,
    params,
    positional: ['roles'],
    problems: (_context, { roles = [], withoutRoles = false }, items) => {
      if (verb === 'set-roles') return rolesProblem({ roles, withoutRoles });
      if (roles.length === 0) return { roles: message('role:validation.required') };
      if (verb === 'add-roles') return rolesProblem({ roles, withoutRoles: false });
      const memberWithoutRoles = items.find((item) => wouldHaveNoRoles(item, roles));
      return memberWithoutRoles && !withoutRoles
        ? { withoutRoles: message('user:validation.wouldHaveNone', { name: user.label(memberWithoutRoles) }) }
        : {};
    },
    field: message('user:fields.roles'),
    current: ({ user: { roles } }) => roles,
    after: (current, { roles = [] }) => after(current, roles.map(role.id)),
    // The item has the names of its current roles.
    label: (id, { user: { roles: ids }, roles: names }, { roles = [] }) => {
      const grantedRole = roles.find(({ identifier }) => identifier === id);
      return grantedRole ? role.label(grantedRole) : (names[ids.indexOf(id)] ?? id);
    },
    undo: ({ before }) => ({
      verb: 'set-roles',
      args: before.length > 0 ? { roles: before } : { withoutRoles: true },
    }),
    // Warns users who change their own roles or leave someone without roles.
    notes: ({ actor }, items, { roles }) => {
      const { length: count } = items.filter((item) => wouldHaveNoRoles(item, roles));
      return [
        ...(items.some((item) => isSelf(item, actor)) ? [message('user:plan.yourself')] : []),
        ...(count > 0 ? [message('user:plan.withoutRoles', { count })] : []),
      ];
    },
    organization: organizationIdOf,
    call: async ({ api, organization, signal }, items, { roles = [], withoutRoles = false }) => {
      const request = { organization, userIds: userIdsOf(items), update: update(roles.map(role.id)) };
      await api(UserService).updateUserRoles({ ...request, overrideAllowNoRoles: withoutRoles }, { signal });
    },
    changed: (items, { actor }) => (items.some((item) => isSelf(item, actor)) ? ['me'] : []),
  });
}

export const setRoles = roleCommand({
  verb: 'set-roles',
  keys: [LETTERS.roles],
  params: roleParams,
  after: (_current, roles) => roles,
  update: (roles) => ({ case: 'replace', value: { roles } }),
  initial: (items) => createInitial({ roles: { current: ({ user: { roles } }: UserItem) => roles } }, items),
});

export const addRoles = roleCommand({
  verb: 'add-roles',
  params: { roles: required(p.refs(() => grantableRole)) },
  after: (current, roles) => [...new Set([...current, ...roles])],
  update: (add) => ({ case: 'modify', value: { add } }),
});

export const removeRoles = roleCommand({
  verb: 'remove-roles',
  // Include roles that the caller may not grant, because they can still be removed.
  params: { roles: required(p.refs(() => role)), withoutRoles: roleParams.withoutRoles },
  after: (current, roles) => current.filter((id) => !roles.includes(id)),
  update: (remove) => ({ case: 'modify', value: { remove } }),
});

export const roleCommands: readonly Command[] = [setRoles, addRoles, removeRoles];
