import { Code, ConnectError } from '@connectrpc/connect';
import type { PermissionName } from '#server/policies/permissions.ts';
import type { Role } from '#server/policies/roles.ts';
import type { Scope } from '#server/session/scope.ts';

/** Whether somebody holds everything that a role gives. */
export const heldWhole = (role: Role, can: (permission: PermissionName) => boolean): boolean =>
  [...role.permissions, ...role.supportPermissions].every((permission) => can(permission));

/**
 * Whether the caller may give the role to somebody: it holds nothing that the caller lacks (contract: RoleService).
 *
 * A role with support permissions makes whoever has it staff of the operator, everywhere. So it is given only by a
 * member who holds it in that very organization, and never by staff who act for a customer.
 */
export function grantable(role: Role, caller: Scope): boolean {
  if (!heldWhole(role, (permission) => caller.can(permission))) return false;
  if (role.supportPermissions.length === 0) return true;
  return caller.session.memberships.some(
    ({ organization, roles }) => organization === caller.organization && roles.includes(role.identifier),
  );
}

/** @throws ConnectError PERMISSION_DENIED, naming the role that the caller may not give */
export function requireGrantable(roles: readonly Role[], caller: Scope): void {
  const beyond = roles.find((role) => !grantable(role, caller));
  if (beyond === undefined) return;
  throw new ConnectError(
    `You cannot give the role "${beyond.identifier}" in "${caller.organization}": it holds more than you do there.`,
    Code.PermissionDenied,
  );
}
