import { create } from '@bufbuild/protobuf';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { and, arrayOverlaps, eq } from 'drizzle-orm';
import {
  AcceptTermsAndConditionsRequest_ResponseSchema,
  type CurrentUserService,
  UpdateDefaultOrganizationRequest_ResponseSchema,
  UpdateMissionControlSettingsRequest_ResponseSchema,
} from '#proto/hiber/current_user_pb';
import type { App } from '../app.ts';
import { organization } from '../db/schema/organization.ts';
import { appUser } from '../db/schema/user.ts';
import { scopeIfAny, session } from '../session/scope.ts';
import { accessibleOrganizations } from './current-user/accessible.ts';
import { presentCurrentUser } from './current-user/present.ts';
import { settingsJson } from './current-user/settings.ts';
import { invalidArgument } from './shared/errors.ts';

type Served =
  | 'currentUser'
  | 'accessibleOrganizations'
  | 'updateDefaultOrganization'
  | 'updateMissionControlSettings'
  | 'acceptTermsAndConditions';

export function currentUserService(app: App): Pick<ServiceImpl<typeof CurrentUserService>, Served> {
  const update = (id: string, change: Partial<typeof appUser.$inferInsert>) =>
    app.db.orm.update(appUser).set(change).where(eq(appUser.id, id));
  return {
    currentUser: (_request, context) => presentCurrentUser(session(context), scopeIfAny(context)),

    accessibleOrganizations: (request, context) => accessibleOrganizations(app.db.orm, session(context), request),

    async updateDefaultOrganization(request, context) {
      const { user, memberships } = session(context);
      const slug = request.organization.trim();
      if (slug === '') throw invalidArgument('Name the organization to make your default.');
      // Of the organizations in reach only those that the user belongs to, directly or from above: not every
      // organization that support staff may act for.
      const homes = memberships.map((each) => each.organization);
      const [found] =
        homes.length === 0
          ? []
          : await app.db.orm
              .select({ id: organization.id })
              .from(organization)
              .where(and(eq(organization.id, slug), arrayOverlaps(organization.path, homes)));
      if (found === undefined) {
        throw new ConnectError(`You do not belong to an organization "${slug}".`, Code.PermissionDenied);
      }
      await update(user.id, { defaultOrganization: found.id });
      return create(UpdateDefaultOrganizationRequest_ResponseSchema, { defaultOrganization: found.id });
    },

    async updateMissionControlSettings(request, context) {
      const missionControlSettings = settingsJson(request.update);
      await update(session(context).user.id, { missionControlSettings });
      return create(UpdateMissionControlSettingsRequest_ResponseSchema, { missionControlSettings });
    },

    async acceptTermsAndConditions(request, context) {
      // Whether false revokes is not stated; `accepted_tac` is said to be set from it, so it does.
      await update(session(context).user.id, { acceptedTacAt: request.acceptTac ? app.now() : null });
      return create(AcceptTermsAndConditionsRequest_ResponseSchema);
    },
  };
}
