import { Code, ConnectError } from '@connectrpc/connect';

import type { PermissionName } from '#server/policies/permissions.ts';
import type { Role } from '#server/policies/roles.ts';
import type { Scope } from '#server/session/scope.ts';

/** True if the permissions include everything that a role grants. */
export const coversRole = (role: Role, can: (permission: PermissionName) => boolean): boolean =>
  [...role.permissions, ...role.supportPermissions].every((permission) => can(permission));

/**
 * True if the caller may grant the role. The role can't include a permission that the caller doesn't have (contract:
 * RoleService).
 *
 * A role with support permissions makes its holder one of our support staff, with access to all organizations. Only
 * members who hold the role in the same organization may grant it, so staff acting for a customer may not.
 */
export function canGrant(role: Role, caller: Scope): boolean {
  if (!coversRole(role, (permission) => caller.can(permission))) return false;
  if (role.supportPermissions.length === 0) return true;
  return caller.session.memberships.some(
    ({ organization, roles }) => organization === caller.organization && roles.includes(role.identifier),
  );
}

/**
 * Requires that the caller may grant every role.
 *
 * @throws ConnectError PERMISSION_DENIED, naming the role that the caller may not grant
 */
export function requireGrantable(roles: readonly Role[], caller: Scope): void {
  const ungrantableRole = roles.find((role) => !canGrant(role, caller));
  if (ungrantableRole === undefined) return;
  throw new ConnectError(
    `You can't grant the role "${ungrantableRole.identifier}" in "${caller.organization}". It has permissions that you don't have there.`,
    Code.PermissionDenied,
  );
}
