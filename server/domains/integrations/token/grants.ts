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

/** What a token is to hold, by name. */
export interface Grants {
  readonly organization: readonly OrganizationPermissionName[];
  readonly user: readonly UserPermissionName[];
  readonly roles: readonly Role[];
}

/** Somebody who must hold whatever is granted. */
export interface Party {
  /** Subject of the sentence that refuses: "You do", "Anna Vermeer does". */
  readonly who: string;
  can(permission: PermissionName): boolean;
}

export const callerAsParty = (caller: Scope): Party => ({ who: 'You do', can: (permission) => caller.can(permission) });

/**
 * The permissions that a filter grants (contract: Filter): `include_all` is everything that the caller holds, so that
 * it never fails for what they lack; otherwise include minus exclude, and an empty filter grants nothing.
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

/** @returns without duplicates, and without what is excluded: removing beats adding */
export function without<T>(included: Iterable<T>, excluded: Iterable<T>): T[] {
  const dropped = new Set(excluded);
  return [...new Set(included)].filter((nullable) => !dropped.has(nullable));
}

/** @throws ConnectError INVALID_ARGUMENT for an identifier that is not in the catalogue */
export function rolesNamed(identifiers: Iterable<string>): Role[] {
  return [...new Set(identifiers)].map((identifier) => {
    const role = findRole(identifier);
    if (role === undefined) throw new ConnectError(`There is no role "${identifier}".`, Code.InvalidArgument);
    return role;
  });
}

/**
 * Nobody gives away what they do not hold, or a token would be a way to get it.
 *
 * @throws ConnectError PERMISSION_DENIED, naming the party and what it lacks
 */
export function requireHeldBy(party: Party, { organization, user, roles }: Grants): void {
  const lacks = [...organization, ...user].find((permission) => !party.can(permission));
  if (lacks !== undefined) {
    throw new ConnectError(`${party.who} not hold ${lacks}, so a token cannot be given it.`, Code.PermissionDenied);
  }
  const beyond = roles.find(
    (role) => ![...role.permissions, ...role.supportPermissions].every((item) => party.can(item)),
  );
  if (beyond !== undefined) {
    throw new ConnectError(
      `${party.who} not hold all of the role "${beyond.identifier}", so a token cannot be given it.`,
      Code.PermissionDenied,
    );
  }
}
