import { p } from '#commands/model/params.ts';
import { role } from '#commands/nouns/people/role/entity.ts';

import { PERMISSIONS, permissionLabels, USER_PERMISSIONS, userPermissionLabels } from './item.ts';

/** Params shared by the commands that create tokens, edit tokens, and set their permissions. */
export const tokenParams = {
  permissions: p.choices(PERMISSIONS, { label: permissionLabels.byName }),
  userPermissions: p.choices(USER_PERMISSIONS, { label: userPermissionLabels.byName }),
  roles: p.refs(() => role),
};
