import { create } from '@bufbuild/protobuf';
import { Filter_OrganizationPermissionsSchema, Filter_SupportPermissionsSchema } from '#proto/hiber/filter_pb';
import { OrganizationPermission, SupportPermission } from '#proto/hiber/permission_pb';
import { type User, UserSchema } from '#proto/hiber/user_pb';
import { permissionsOfRoles, supportPermissionsOfRoles } from '../../policies/roles.ts';
import { presentDate } from '../shared/dates.ts';

export interface UserView {
  id: string;
  email: string;
  name: string;
  /** Where the roles are held, or access is asked for. */
  organization: string;
  /** The user's own, also while they try out others. */
  roles: readonly string[];
  /** ISO 8601; null when nothing is known of any. */
  lastActivity?: string | null;
  overridden?: boolean;
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
      include: [...permissionsOfRoles(roles)].map((each) => OrganizationPermission[each]),
    }),
    ...(support.size > 0 && {
      supportPermissions: create(Filter_SupportPermissionsSchema, {
        include: [...support].map((each) => SupportPermission[each]),
      }),
    }),
    ...(lastActivity !== null && { lastActivity: presentDate(lastActivity) }),
    hasActiveRoleOverride: overridden,
  });
}
