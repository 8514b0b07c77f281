import { create } from '@bufbuild/protobuf';

import {
  ApproveUserRequest_ResponseSchema,
  CreateUsersRequest_ResponseSchema,
  InviteUserRequest_ResponseSchema,
  RemoveRoleOverride_ResponseSchema,
  RemoveUserRequest_ResponseSchema,
  ResetUserPasswordRequest_ResponseSchema,
  RevokeUserSessionRequest_ResponseSchema,
  SuspendUserRequest_ResponseSchema,
  TestUserValidationRequest_ResponseSchema,
  UnsuspendUserRequest_ResponseSchema,
  UpdateUserRoles_ResponseSchema,
  UserService,
} from '#proto/gen/hiber/user_pb.ts';
import { type RateLimit, requireWithinLimit } from '#server/app/rate-limit.ts';
import { service } from '#server/app/service.ts';
import { scope } from '#server/session/scope.ts';

import { summarizeActivity } from './activity.ts';
import { approve } from './approve.ts';
import { createUser, createUsers } from './create.ts';
import { invite, listInvitations } from './invite.ts';
import { listAccessRequests, listUsers } from './list.ts';
import { addressKey } from './model/addresses.ts';
import { translateProviderErrors } from './model/identity-errors.ts';
import { findMembers } from './model/members.ts';
import { loadRules } from './model/sign-in-rules.ts';
import { removeUsers } from './remove.ts';
import { removeOverrides, updateRoles } from './role-changes.ts';
import { revokeSessions } from './sessions.ts';
import { suspend, unsuspend } from './suspend.ts';
import { presentRules, testRules, updateRules } from './validation.ts';

/** Limits password resets per address, regardless of caller and organization. */
const passwordMailLimit: RateLimit = { name: 'password-reset-mail', burst: 3, intervalMs: 20 * 60_000 };

export const userService = service(UserService, (app) => {
  const { orm } = app.db;
  return {
    list: (request, context) => listUsers(orm, scope(context), request),
    listAccessRequests: (request, context) => listAccessRequests(orm, scope(context), request),
    listInvitations: (request, context) => listInvitations(app, scope(context), request),
    activity: (request, context) => summarizeActivity(app, scope(context), request),

    async invite(request, context) {
      await invite(app, scope(context), request);
      return create(InviteUserRequest_ResponseSchema);
    },

    async approve(request, context) {
      await approve(app, scope(context), request);
      return create(ApproveUserRequest_ResponseSchema);
    },

    async remove(request, context) {
      await removeUsers(app, scope(context), request);
      return create(RemoveUserRequest_ResponseSchema);
    },

    createUser: (request, context) => createUser(app, scope(context), request),

    async createUsers(request, context) {
      return create(CreateUsersRequest_ResponseSchema, { users: await createUsers(app, scope(context), request) });
    },

    async resetPassword(request, context) {
      const [member] = await findMembers(orm, scope(context).organization, [request.userId]);
      if (member !== undefined) {
        const { email } = member.user;
        const reason = `${email} was sent several password resets recently`;
        await requireWithinLimit(orm, passwordMailLimit, addressKey(email), app.now(), reason);
        await translateProviderErrors(app.accounts.sendPasswordReset(email));
      }
      return create(ResetUserPasswordRequest_ResponseSchema);
    },

    async updateUserRoles(request, context) {
      await updateRoles(app, scope(context), request);
      return create(UpdateUserRoles_ResponseSchema);
    },

    async removeRoleOverride(request, context) {
      await removeOverrides(app, scope(context), request);
      return create(RemoveRoleOverride_ResponseSchema);
    },

    async suspend(request, context) {
      await suspend(app, scope(context), request.userIds);
      return create(SuspendUserRequest_ResponseSchema);
    },

    async unsuspend(request, context) {
      await unsuspend(app, scope(context), request.userIds);
      return create(UnsuspendUserRequest_ResponseSchema);
    },

    async revokeSession(request, context) {
      await revokeSessions(app, scope(context), request.userIds);
      return create(RevokeUserSessionRequest_ResponseSchema);
    },

    async getUserValidation(_request, context) {
      return presentRules(await loadRules(orm, scope(context).organization));
    },

    updateUserValidation: (request, context) => updateRules(app, scope(context), request),

    async testUserValidation(request, context) {
      await testRules(app, scope(context), request, context.signal);
      return create(TestUserValidationRequest_ResponseSchema);
    },
  };
});
