import type { DescService } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';

import { toAbilities, type PermissionSet, type Grants } from '#commands/model/ability.ts';
import type { CurrentOrganization, Actor, SupportSession } from '#commands/model/actor.ts';
import type { Preferences } from '#commands/model/context.ts';
import { enumName } from '#commands/model/wire.ts';
import { CurrentUserService, type CurrentUser } from '#proto/gen/hiber/current_user_pb.ts';
import { Organization_Feature, OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

import { readPreferences } from './preferences.ts';

type Api = <S extends DescService>(service: S) => Client<S>;

/** The user, and the organization that the user acts for. */
export interface UserSession {
  readonly actor: Actor;
  readonly organization: CurrentOrganization;
  /**
   * The web client's settings, as JSON that the server does not interpret. Any value other than an object counts as
   * empty because another client can have stored it.
   */
  readonly preferences: Preferences;
  readonly acceptedTac: boolean;
  readonly passwordResetRecommended: boolean;
}

/**
 * Loads the signed-in user and the organization to act for: the requested organization, or else the user's default
 * (contract: CurrentUser).
 *
 * @throws ConnectError PERMISSION_DENIED if the user is not allowed to act for the requested organization.
 */
export async function loadUserSession(api: Api, requestedId: string | undefined): Promise<UserSession> {
  const user = await api(CurrentUserService).currentUser(requestedId ? { organization: requestedId } : {});
  const id = user.currentOrganization ?? '';
  // A token without READ does not reveal its owner, but has its own organization (contract: CurrentUser).
  const home = user.defaultOrganization ?? (requestedId ? '' : id);
  const organization = id ? await api(OrganizationService).get({ organization: id }) : undefined;
  const grants = toGrants(user);
  const { name = '', email = '' } = user;
  // Staff can access every organization, but need a support session for organizations that they aren't members of.
  const needsSupportSession =
    grants.support.names.has('CUSTOMER_SUPPORT') && id !== home && !user.organizations.includes(id);
  const supportSession = id && needsSupportSession ? await beginSession(api, id) : undefined;
  return {
    actor: {
      id: user.id,
      name,
      email,
      home,
      grants,
      abilities: toAbilities(grants),
      ...(user.activeRoleOverride ? { trialRoles: user.roles } : {}),
    },
    organization: {
      id,
      name: organization?.displayName || id,
      features: new Set(
        organization?.features.map((feature) => enumName(Organization_Feature, feature) ?? `${feature}`),
      ),
      awayFromHome: id !== home,
      ...(supportSession ? { supportSession } : {}),
    },
    preferences: readPreferences(user.missionControlSettings) ?? {},
    acceptedTac: user.acceptedTac,
    passwordResetRecommended: user.passwordResetRecommended,
  };
}

/** Loads the support service on demand because only staff need it. */
async function beginSession(api: Api, organization: string): Promise<SupportSession | undefined> {
  const { beginSupportSession } = await import('./support-session.ts');
  return beginSupportSession(api, organization);
}

function toGrants(user: CurrentUser): Grants {
  return {
    organization: grantedPermissions(user.currentOrganizationPermissions, OrganizationPermission),
    user: grantedPermissions(user.userPermissions, UserPermission),
    support: grantedPermissions(user.supportPermissions, SupportPermission),
  };
}

/** Returns the permissions that a filter includes and doesn't exclude. */
function grantedPermissions(
  filter: { include: readonly number[]; exclude: readonly number[]; includeAll?: boolean } | undefined,
  names: Readonly<Record<string, number>>,
): PermissionSet {
  if (!filter) return { all: false, names: new Set() };
  const excludedNames = new Set(filter.exclude);
  const includedNames = filter.includeAll ? Object.values(names) : filter.include;
  const permissions = includedNames.filter((value) => !excludedNames.has(value));
  const permissionNames = permissions.map((value) => enumName(names, value) ?? `${value}`);
  return { all: Boolean(filter.includeAll) && excludedNames.size === 0, names: new Set(permissionNames) };
}
