import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { change, read, rpcs } from '#server/policies/rpcs.ts';

export const userPolicy = rpcs(UserService, {
  list: read('USERS'),
  activity: read('USERS_MANAGE'),
  createUser: change('USERS_MANAGE'),
  createUsers: change('USERS_MANAGE'),
  updateUserRoles: change('USERS_MANAGE'),
  removeRoleOverride: change('USERS_MANAGE'),
  resetPassword: change('USERS_MANAGE'),
  suspend: change('USERS_MANAGE'),
  unsuspend: change('USERS_MANAGE'),
  revokeSession: change('USERS_MANAGE'),
  remove: change('USERS_MANAGE'),
  invite: change('USERS_MANAGE'),
  listInvitations: read('USERS_MANAGE'),
  listAccessRequests: read('USERS'),
  approve: change('USERS_MANAGE'),
  getUserValidation: read('USERS_MANAGE'),
  updateUserValidation: change('USERS_MANAGE'),
  testUserValidation: read('USERS_MANAGE'),
});
