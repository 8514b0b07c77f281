import type { OrganizationPermissionName } from '#server/policies/permissions.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';

import type { Session } from './session.ts';

/** Roles held in an organization and their combined permissions. */
export interface EffectivePermissions {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
}

/**
 * Returns the permissions in an organization under the caller's role override there (contract: OverrideRoles). An
 * override never adds permissions: if the caller's own roles were reduced in the meantime, the override is reduced as
 * well.
 *
 * An override applies only in its own organization. It also applies to the user's PERSONAL tokens, but not to SPECIFIC
 * ones.
 */
export function withOverride(session: Session, organization: string, roles: readonly string[]): EffectivePermissions {
  const ownPermissions = permissionsOfRoles(roles);
  const override = session.overrides.get(organization);
  if (override === undefined) return { roles, permissions: ownPermissions };
  return {
    roles: override,
    permissions: new Set([...permissionsOfRoles(override)].filter((item) => ownPermissions.has(item))),
  };
}
