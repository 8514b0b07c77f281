import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { service } from '#server/app/service.ts';
import { listRoles } from '#server/domains/people/role/list.ts';

import { roleOverrides } from './override.ts';

// In this folder because the rpcs that override roles return the current user.
export const roleService = service(RoleService, (app) => ({ list: listRoles, ...roleOverrides(app) }));
