import type { Filter_Roles } from '#proto/gen/hiber/filter_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import { requireGrantable } from '#server/domains/people/role/grantable.ts';
import { invalidArgument } from '#server/wire/errors.ts';
import { rolesNamed } from '#server/domains/integrations/token/grants.ts';

/**
 * The roles that a request gives to somebody: those in `include` (contract: Filter).
 *
 * @param allowNone the request's `override_allow_no_roles`
 * @returns role identifiers
 * @throws ConnectError INVALID_ARGUMENT without any, unless that is allowed, and for one that does not exist;
 *   PERMISSION_DENIED for one that the caller may not give
 */
export function grantedRoles(
  filter: Filter_Roles | undefined,
  caller: Scope,
  allowNone: boolean | undefined,
): string[] {
  const named = rolesNamed(filter?.include ?? []);
  if (named.length === 0 && allowNone !== true) throw noRoles();
  requireGrantable(named, caller);
  return named.map((role) => role.identifier);
}

export const noRoles = () =>
  invalidArgument('Give at least one role: a member without any may do nothing. Allow it explicitly if that is meant.');
