import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { ownAccount, read, rpcs } from '#server/policies/rpcs.ts';

export const rolePolicy = rpcs(RoleService, {
  list: read(),
  override: { ...ownAccount('UPDATE'), audience: 'organization' },
  restore: ownAccount('UPDATE'),
});
