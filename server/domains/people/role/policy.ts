import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { own, read, rpcs } from '#server/policies/rpcs.ts';

export const rolePolicy = rpcs(RoleService, {
  list: read(),
  override: { ...own('UPDATE'), audience: 'organization' },
  restore: own('UPDATE'),
});
