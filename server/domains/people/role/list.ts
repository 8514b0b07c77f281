import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';

import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { RoleSchema } from '#proto/gen/hiber/role_pb.ts';
import {
  type ListRoles_Request,
  ListRoles_RequestSchema,
  type ListRoles_Response,
  ListRoles_ResponseSchema,
} from '#proto/gen/hiber/role_service_pb.ts';
import { type Role, roles } from '#server/policies/roles.ts';
import { type Scope, scope } from '#server/session/scope.ts';

import { canGrant } from './grantable.ts';
import { isSelected } from './selection.ts';

/** Lists the roles that the caller may see. */
export function listRoles(request: ListRoles_Request, context: HandlerContext): ListRoles_Response {
  const caller = scope(context);
  const { selection } = request;
  const matchingRoles = roles.filter(
    (role) =>
      isVisible(role, caller) &&
      isSelected(role, selection) &&
      (selection?.onlyGrantable !== true || canGrant(role, caller)),
  );
  return create(ListRoles_ResponseSchema, {
    roles: matchingRoles.map((role) => present(role, caller)),
    request: create(ListRoles_RequestSchema, { ...request, organization: caller.organization }),
  });
}

/**
 * True if the caller may see the role. Roles with support permissions are visible only to support staff (contract:
 * RoleService).
 */
const isVisible = (role: Role, caller: Scope): boolean =>
  role.supportPermissions.length === 0 || caller.can('CUSTOMER_SUPPORT');

const present = (role: Role, caller: Scope) =>
  create(RoleSchema, {
    identifier: role.identifier,
    displayName: role.displayName,
    description: role.description,
    permissions: role.permissions.map((name) => OrganizationPermission[name]),
    supportPermissions: role.supportPermissions.map((name) => SupportPermission[name]),
    grantable: canGrant(role, caller),
  });
