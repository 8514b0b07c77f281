import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const tokenPolicy = rpcs(TokenService, {
  // Owner details also require USERS, and tokens for someone else require USERS_MANAGE.
  list: read('TOKENS'),
  create: change('TOKENS'),
  delete: change('TOKENS'),
  updateTokenOrganizationPermissions: change('TOKENS'),
  updateTokenUserPermissions: change('TOKENS'),
  updateTokenRoles: change('TOKENS'),
});
