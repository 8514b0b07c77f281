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

/** The permissions and roles that a token will hold. */
export interface Grants {
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly roles: readonly Role[];
}

/** A person who must hold every granted permission and role. */
export interface Holder {
  /** The beginning of the error message: "You do", "Anna Vermeer does". */
  readonly subject: string;
  can(permission: PermissionName): boolean;
}

export const callerAsHolder = (caller: Scope): Holder => ({
  subject: 'You do',
  can: (permission) => caller.can(permission),
});

/**
 * Returns the permissions that a filter grants (contract: Filter). `include_all` means all permissions that the caller
 * holds, so it never exceeds them. An exclude takes precedence, and an empty filter grants nothing.
 */
export function organizationGrants(
  filter: Filter_OrganizationPermissions | undefined,
  caller: Scope,
): OrganizationPermissionName[] {
  if (filter === undefined) return [];
  const includedNames = filter.includeAll
    ? [...caller.organizationPermissions]
    : organizationPermissionsOf(filter.include);
  return difference(includedNames, organizationPermissionsOf(filter.exclude));
}

export function userGrants(filter: Filter_UserPermissions | undefined, caller: Scope): UserPermissionName[] {
  if (filter === undefined) return [];
  const includedNames = filter.includeAll ? [...caller.userPermissions] : userPermissionsOf(filter.include);
  return difference(includedNames, userPermissionsOf(filter.exclude));
}

/** Returns the included items that are not excluded, without duplicates. */
export function difference<T>(included: Iterable<T>, excluded: Iterable<T>): T[] {
  const excludedSet = new Set(excluded);
  return [...new Set(included)].filter((item) => !excludedSet.has(item));
}

/**
 * Looks up roles by identifier.
 *
 * @throws ConnectError INVALID_ARGUMENT for an identifier missing from the catalog
 */
export function findRoles(identifiers: Iterable<string>): Role[] {
  return [...new Set(identifiers)].map((identifier) => {
    const role = findRole(identifier);
    if (role === undefined) throw new ConnectError(`Unknown role: "${identifier}".`, Code.InvalidArgument);
    return role;
  });
}

/**
 * Requires that a person holds every granted permission and role. Otherwise, they could gain permissions by using the
 * token.
 *
 * @throws ConnectError PERMISSION_DENIED, naming the holder and the missing permission or role
 */
export function requireHeldBy(holder: Holder, { organization, user, roles }: Grants): void {
  const missingPermission = [...organization, ...user].find((permission) => !holder.can(permission));
  if (missingPermission !== undefined) {
    throw new ConnectError(
      `${holder.subject}n't hold ${missingPermission}, so you can't grant it to a token.`,
      Code.PermissionDenied,
    );
  }
  const missingRole = roles.find(
    (role) => ![...role.permissions, ...role.supportPermissions].every((item) => holder.can(item)),
  );
  if (missingRole !== undefined) {
    throw new ConnectError(
      `${holder.subject}n't hold every permission of the role "${missingRole.identifier}", so you can't grant it to a token.`,
      Code.PermissionDenied,
    );
  }
}
