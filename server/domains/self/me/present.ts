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
 * Presents the caller, with their permissions in one organization.
 *
 * For a caller without READ, who can only be a token, the response omits personal data: name, email, memberships, and
 * settings. It still includes roles and permissions (contract: CurrentUserService).
 *
 * @param scope undefined for a person without memberships
 * @param requestedOrganizations organizations that the caller has requested to join
 */
export function presentCurrentUser(
  session: Session,
  scope: Scope | undefined,
  requestedOrganizations: readonly string[],
): CurrentUser {
  const { user, token, memberships, overrides, userPermissions, supportPermissions } = session;
  const canRead = userPermissions.has('READ');
  return create(CurrentUserSchema, {
    id: user.id,
    ...(canRead && { email: user.email, name: user.name }),
    organizations: canRead ? memberships.map((membership) => membership.organization) : [],
    ...(canRead && user.defaultOrganization !== null && { defaultOrganization: user.defaultOrganization }),
    ...(scope && { currentOrganization: scope.organization }),
    ...(scope && {
      // Always the list, never `include_all`, which would also cover permissions added in later releases.
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
    missionControlSettings: canRead ? user.missionControlSettings : '{}',
    acceptedTac: user.acceptedTacAt !== null,
    userHash: hashUserId(user.id),
    requestedOrganizations: canRead ? [...requestedOrganizations] : [],
    roles: [...(scope?.roles ?? [])],
    activeRoleOverride: scope !== undefined && overrides.has(scope.organization),
    // Users have no features of their own; only organizations do.
    features: [],
    passwordResetRecommended: token === undefined && user.passwordResetRecommended,
    ...(token === undefined &&
      user.passwordResetRecommendedReason !== null && {
        passwordResetRecommendedReason: user.passwordResetRecommendedReason,
      }),
  });
}

/** Returns a stable pseudonym for the person, for use in reports (not specified in the contract). */
const hashUserId = (id: string): string => createHash('sha256').update(`user:${id}`).digest('hex').slice(0, 32);
