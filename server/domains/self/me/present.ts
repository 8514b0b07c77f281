import { createHash } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { type CurrentUser, CurrentUserSchema } from '#proto/gen/hiber/current_user_pb.ts';
import {
  Filter_OrganizationPermissionsSchema,
  Filter_SupportPermissionsSchema,
  Filter_UserPermissionsSchema,
} from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import type { Scope } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';

/**
 * The caller, as they are in one organization.
 *
 * Without READ (only a token can lack it) whatever is the person's own is left out: name, email, memberships and
 * settings. Roles and permissions are told all the same (contract: CurrentUserService).
 *
 * @param scope undefined for a person who is a member of nothing
 * @param requested organizations that they asked to join
 */
export function presentCurrentUser(
  session: Session,
  scope: Scope | undefined,
  requested: readonly string[],
): CurrentUser {
  const { user, token, memberships, overrides, userPermissions, supportPermissions } = session;
  const own = userPermissions.has('READ');
  return create(CurrentUserSchema, {
    id: user.id,
    ...(own && { email: user.email, name: user.name }),
    organizations: own ? memberships.map((membership) => membership.organization) : [],
    ...(own && user.defaultOrganization !== null && { defaultOrganization: user.defaultOrganization }),
    ...(scope && { currentOrganization: scope.organization }),
    ...(scope && {
      // Always the list, never `include_all`: that would promise permissions that later releases add.
      currentOrganizationPermissions: create(Filter_OrganizationPermissionsSchema, {
        include: [...scope.organizationPermissions].map((name) => OrganizationPermission[name]),
      }),
    }),
    userPermissions: create(Filter_UserPermissionsSchema, {
      include: [...userPermissions].map((name) => UserPermission[name]),
    }),
    ...(supportPermissions.size > 0 && {
      supportPermissions: create(Filter_SupportPermissionsSchema, {
        include: [...supportPermissions].map((name) => SupportPermission[name]),
      }),
    }),
    missionControlSettings: own ? user.missionControlSettings : '{}',
    acceptedTac: user.acceptedTacAt !== null,
    userHash: userHash(user.id),
    requestedOrganizations: own ? [...requested] : [],
    roles: [...(scope?.roles ?? [])],
    activeRoleOverride: scope !== undefined && overrides.has(scope.organization),
    // Nobody has been given any beyond their organization's.
    features: [],
    passwordResetRecommended: token === undefined && user.passwordResetRecommended,
    ...(token === undefined &&
      user.passwordResetRecommendedReason !== null && {
        passwordResetRecommendedReason: user.passwordResetRecommendedReason,
      }),
  });
}

/** Its purpose is not stated: a stable name for the person that does not tell who it is, for use in reports. */
const userHash = (id: string): string => createHash('sha256').update(`user:${id}`).digest('hex').slice(0, 32);
