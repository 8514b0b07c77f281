import { permissionsOfRoles } from '#server/policies/roles.ts';
import type { OrganizationPermissionName } from '#server/policies/permissions.ts';
import type { Session } from './session.ts';

/** Roles held somewhere and what they give together. */
export interface Held {
  /** Role identifiers. */
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<OrganizationPermissionName>;
}

/**
 * What somebody holds in an organization after the roles that they try out there (contract: OverrideRoles). Trying
 * roles out never adds anything: when their own roles were reduced in the meantime, so is what they try out.
 *
 * An override counts in its own organization only, so that acting for others goes on as it was; a PERSONAL token
 * follows its owner in this too, and a SPECIFIC one does not.
 */
export function withOverride(session: Session, organization: string, roles: readonly string[]): Held {
  const own = permissionsOfRoles(roles);
  const tried = session.overrides.get(organization);
  if (tried === undefined) return { roles, permissions: own };
  return { roles: tried, permissions: new Set([...permissionsOfRoles(tried)].filter((item) => own.has(item))) };
}
