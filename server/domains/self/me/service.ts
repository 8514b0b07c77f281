import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { and, arrayOverlaps, eq } from 'drizzle-orm';

import {
  AcceptOrganizationInviteRequest_ResponseSchema,
  AcceptTermsAndConditionsRequest_ResponseSchema,
  CancelAccessRequestRequest_ResponseSchema,
  CurrentUserService,
  DeleteCurrentUserRequest_ResponseSchema,
  LogPasswordUpdatedRequest_ResponseSchema,
  RequestAccessRequest_ResponseSchema,
  UpdateDefaultOrganizationRequest_ResponseSchema,
  UpdateMissionControlSettingsRequest_ResponseSchema,
} from '#proto/gen/hiber/current_user_pb.ts';
import { service } from '#server/app/service.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser } from '#server/db/schema/user.ts';
import { readBearer } from '#server/session/authenticate.ts';
import { scopeIfAny, session } from '#server/session/scope.ts';
import { invalidArgument } from '#server/wire/errors.ts';

import { cancelAccessRequest, requestAccess } from './access-requests.ts';
import { listAccessibleOrganizations } from './accessible.ts';
import { loadCurrentUser } from './current.ts';
import { deleteCurrentUser } from './delete.ts';
import { acceptInvite, listInvites } from './invites.ts';
import { roleOverrides } from './override.ts';
import { readSettings } from './settings.ts';

export const currentUserService = service(CurrentUserService, (app) => {
  const { override: overrideRoles, restore: restoreRoles } = roleOverrides(app);
  const updateUser = (id: string, change: Partial<typeof appUser.$inferInsert>) =>
    app.db.orm.update(appUser).set(change).where(eq(appUser.id, id));
  return {
    currentUser: (_request, context) => loadCurrentUser(app.db.orm, session(context), scopeIfAny(context)),

    accessibleOrganizations: (request, context) => listAccessibleOrganizations(app.db.orm, session(context), request),

    async updateDefaultOrganization(request, context) {
      const { user, memberships } = session(context);
      const slug = request.organization.trim();
      if (slug === '') throw invalidArgument('Specify the organization to make your default.');
      // Accept only organizations that the user belongs to, directly or through a parent. Support staff can act for
      // other organizations, but can't make them their default.
      const memberOrganizations = memberships.map((membership) => membership.organization);
      const [target] =
        memberOrganizations.length === 0
          ? []
          : await app.db.orm
              .select({ id: organization.id })
              .from(organization)
              .where(and(eq(organization.id, slug), arrayOverlaps(organization.path, memberOrganizations)));
      if (target === undefined) {
        throw new ConnectError(`You don't belong to the organization "${slug}".`, Code.PermissionDenied);
      }
      await updateUser(user.id, { defaultOrganization: target.id });
      return create(UpdateDefaultOrganizationRequest_ResponseSchema, { defaultOrganization: target.id });
    },

    async updateMissionControlSettings(request, context) {
      const missionControlSettings = readSettings(request.update);
      await updateUser(session(context).user.id, { missionControlSettings });
      return create(UpdateMissionControlSettingsRequest_ResponseSchema, { missionControlSettings });
    },

    async acceptTermsAndConditions(request, context) {
      // False revokes acceptance. The contract states only that the rpc sets `accepted_tac`.
      await updateUser(session(context).user.id, { acceptedTacAt: request.acceptTac ? app.now() : null });
      return create(AcceptTermsAndConditionsRequest_ResponseSchema);
    },

    async logPasswordUpdated(_request, context) {
      const noRecommendation = { passwordResetRecommended: false, passwordResetRecommendedReason: null };
      await updateUser(session(context).user.id, noRecommendation);
      return create(LogPasswordUpdatedRequest_ResponseSchema);
    },

    overrideRoles,
    restoreRoles,

    async requestAccess(request, context) {
      await requestAccess(app, session(context), request.organization);
      return create(RequestAccessRequest_ResponseSchema);
    },

    async cancelAccessRequest(request, context) {
      await cancelAccessRequest(app, session(context), request.organization);
      return create(CancelAccessRequestRequest_ResponseSchema);
    },

    listOrganizationInvites: (request, context) => listInvites(app, session(context), request),

    async acceptOrganizationInvite(request, context) {
      await acceptInvite(app, session(context), request);
      return create(AcceptOrganizationInviteRequest_ResponseSchema);
    },

    async deleteCurrentUser(_request, context) {
      await deleteCurrentUser(app, session(context), readBearer(context.requestHeader) ?? '');
      return create(DeleteCurrentUserRequest_ResponseSchema);
    },
  };
});
