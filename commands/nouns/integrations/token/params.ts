import { p } from '#commands/model/params.ts';
import { suggestRoles } from '#commands/nouns/people/role/entity.ts';
import { PERMISSIONS, permissionWords, USER_PERMISSIONS, userPermissionWords } from './item.ts';

/** Params that creating, editing and granting share. */
export const tokenParams = {
  permissions: p.choices(PERMISSIONS, { label: permissionWords.named }),
  userPermissions: p.choices(USER_PERMISSIONS, { label: userPermissionWords.named }),
  roles: p.words({ suggest: suggestRoles }),
};
