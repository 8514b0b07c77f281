import { create } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import { OrganizationPermission, SupportPermission } from '#proto/hiber/permission_pb';
import { type RoleSelection, RoleSchema } from '#proto/hiber/role_pb';
import { ListRoles_RequestSchema, ListRoles_ResponseSchema, type RoleService } from '#proto/hiber/role_service_pb';
import { type Role, roles } from '../policies/roles.ts';
import { type Scope, scope } from '../session/scope.ts';

export function roleService(): Pick<ServiceImpl<typeof RoleService>, 'list'> {
  return {
    list(request, context) {
      const caller = scope(context);
      const listed = roles.filter((role) => exists(role, caller) && selected(role, request.selection, caller));
      return create(ListRoles_ResponseSchema, {
        roles: listed.map((role) => present(role, caller)),
        request: create(ListRoles_RequestSchema, { ...request, organization: caller.organization }),
      });
    },
  };
}

/** Roles with support permissions are for the operator's staff, and nobody else hears of them (contract: RoleService). */
const exists = (role: Role, caller: Scope): boolean =>
  role.supportPermissions.length === 0 || caller.can('CUSTOMER_SUPPORT');

/** Whether the caller may give the role to somebody: it holds nothing that the caller lacks. */
export const grantable = (role: Role, caller: Scope): boolean =>
  [...role.permissions, ...role.supportPermissions].every((permission) => caller.can(permission));

function selected(role: Role, selection: RoleSelection | undefined, caller: Scope): boolean {
  if (selection === undefined) return true;
  const { include = [], exclude = [] } = selection.roles ?? {};
  const text = `${role.identifier}\n${role.displayName}\n${role.description}`.toLowerCase();
  return (
    text.includes((selection.search ?? '').trim().toLowerCase()) &&
    (include.length === 0 || include.includes(role.identifier)) &&
    !exclude.includes(role.identifier) &&
    (selection.onlyGrantable !== true || grantable(role, caller))
  );
}

const present = (role: Role, caller: Scope) =>
  create(RoleSchema, {
    identifier: role.identifier,
    displayName: role.displayName,
    description: role.description,
    permissions: role.permissions.map((name) => OrganizationPermission[name]),
    supportPermissions: role.supportPermissions.map((name) => SupportPermission[name]),
    grantable: grantable(role, caller),
  });
