import type { Filter_Roles } from '#proto/gen/hiber/filter_pb.ts';
import { findRoles } from '#server/domains/integrations/token/grants.ts';
import { requireGrantable } from '#server/domains/people/role/grantable.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

/**
 * Reads the roles that a request grants. These are the roles in `include` (contract: Filter).
 *
 * @param allowNone the request's `override_allow_no_roles`
 * @returns role identifiers
 * @throws ConnectError INVALID_ARGUMENT for an unknown role, and for no roles unless `allowNone` is true;
 *   PERMISSION_DENIED for a role that the caller cannot grant
 */
export function readGrantedRoles(
  filter: Filter_Roles | undefined,
  caller: Scope,
  allowNone: boolean | undefined,
): string[] {
  const roles = findRoles(filter?.include ?? []);
  if (roles.length === 0 && allowNone !== true) throw noRolesError();
  requireGrantable(roles, caller);
  return roles.map((role) => role.identifier);
}

export const noRolesError = () =>
  invalidArgument("Choose at least one role, or explicitly allow a member without roles, who can't do anything.");
