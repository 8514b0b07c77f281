import type { OrganizationPermissionName } from '#server/policies/permissions.ts';
import { permissionsOfRoles } from '#server/policies/roles.ts';

import type { Session } from './session.ts';

/** Roles held in an organization and their combined permissions. */
export interface EffectiveRights {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
}

/**
 * The rights in an organization under the caller's role override there (contract: OverrideRoles). An override never
 * adds anything: if their own roles were reduced in the meantime, so is the override.
 *
 * An override applies in its own organization only, so acting for others is unaffected; a PERSONAL token follows its
 * owner in this too, a SPECIFIC one does not.
 */
export function withOverride(session: Session, organization: string, roles: readonly string[]): EffectiveRights {
  const ownPermissions = permissionsOfRoles(roles);
  const override = session.overrides.get(organization);
  if (override === undefined) return { roles, permissions: ownPermissions };
  return {
    roles: override,
    permissions: new Set([...permissionsOfRoles(override)].filter((item) => ownPermissions.has(item))),
  };
}
