import { Code, ConnectError } from '@connectrpc/connect';

import type { Filter_OrganizationPermissions, Filter_UserPermissions } from '#proto/gen/hiber/filter_pb.ts';
import {
  type OrganizationPermissionName,
  organizationPermissionsOf,
  type PermissionName,
  type UserPermissionName,
  userPermissionsOf,
} from '#server/policies/permissions.ts';
import { findRole, type Role } from '#server/policies/roles.ts';
import type { Scope } from '#server/session/scope.ts';

/** The permissions and roles that a token will hold, by name. */
export interface Grants {
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly roles: readonly Role[];
}

/** Someone who must hold whatever is granted. */
export interface Party {
  /** Subject of the sentence that refuses: "You do", "Anna Vermeer does". */
  readonly who: string;
  can(permission: PermissionName): boolean;
}

export const callerAsParty = (caller: Scope): Party => ({ who: 'You do', can: (permission) => caller.can(permission) });

/**
 * The permissions that a filter grants (contract: Filter): `include_all` means everything that the caller holds, so it
 * never fails for lack of a permission; otherwise include minus exclude. An empty filter grants nothing.
 */
export function organizationGrants(
  filter: Filter_OrganizationPermissions | undefined,
  caller: Scope,
): OrganizationPermissionName[] {
  if (filter === undefined) return [];
  const included = filter.includeAll ? [...caller.organizationPermissions] : organizationPermissionsOf(filter.include);
  return without(included, organizationPermissionsOf(filter.exclude));
}

export function userGrants(filter: Filter_UserPermissions | undefined, caller: Scope): UserPermissionName[] {
  if (filter === undefined) return [];
  const included = filter.includeAll ? [...caller.userPermissions] : userPermissionsOf(filter.include);
  return without(included, userPermissionsOf(filter.exclude));
}

/** @returns the included items without duplicates and excluded ones; an exclude takes precedence */
export function without<T>(included: Iterable<T>, excluded: Iterable<T>): T[] {
  const excludedSet = new Set(excluded);
  return [...new Set(included)].filter((item) => !excludedSet.has(item));
}

/** @throws ConnectError INVALID_ARGUMENT for an identifier missing from the catalog */
export function findRoles(identifiers: Iterable<string>): Role[] {
  return [...new Set(identifiers)].map((identifier) => {
    const role = findRole(identifier);
    if (role === undefined) throw new ConnectError(`There is no role "${identifier}".`, Code.InvalidArgument);
    return role;
  });
}

/**
 * Requires that the party holds everything it grants; otherwise a token would be a way to escalate.
 *
 * @throws ConnectError PERMISSION_DENIED, naming the party and the permission or role it lacks
 */
export function requireHeldBy(party: Party, { organization, user, roles }: Grants): void {
  const missing = [...organization, ...user].find((permission) => !party.can(permission));
  if (missing !== undefined) {
    throw new ConnectError(
      `${party.who} not hold ${missing}, so you cannot give it to a token.`,
      Code.PermissionDenied,
    );
  }
  const excessRole = roles.find(
    (role) => ![...role.permissions, ...role.supportPermissions].every((item) => party.can(item)),
  );
  if (excessRole !== undefined) {
    throw new ConnectError(
      `${party.who} not hold all of the role "${excessRole.identifier}", so you cannot give it to a token.`,
      Code.PermissionDenied,
    );
  }
}
