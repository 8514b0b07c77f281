import { create } from '@bufbuild/protobuf';

import { Filter_OrganizationPermissionsSchema, Filter_SupportPermissionsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { type User, UserSchema } from '#proto/gen/hiber/user_pb.ts';
import { permissionsOfRoles, supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { presentDate } from '#server/wire/dates.ts';

export interface UserView {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The organization that granted the roles, or that the person requests access to. */
  readonly organization: string;
  /** The user's own roles, even during a role override. */
  readonly roles: readonly string[];
  /** ISO 8601; null if no activity is known. */
  readonly lastActivity?: string | null;
  readonly overridden?: boolean;
}

export function presentUser(view: UserView): User {
  const { id, email, name, organization, roles, lastActivity = null, overridden = false } = view;
  const support = supportPermissionsOfRoles(roles);
  return create(UserSchema, {
    id,
    email,
    name,
    organization,
    roles: [...roles],
    permissions: create(Filter_OrganizationPermissionsSchema, {
      include: [...permissionsOfRoles(roles)].map((item) => OrganizationPermission[item]),
    }),
    ...(support.size > 0 && {
      supportPermissions: create(Filter_SupportPermissionsSchema, {
        include: [...support].map((item) => SupportPermission[item]),
      }),
    }),
    ...(lastActivity !== null && { lastActivity: presentDate(lastActivity) }),
    hasActiveRoleOverride: overridden,
  });
}
