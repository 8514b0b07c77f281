import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { own, rpcs } from '#server/policies/rpcs.ts';

export const ssoPolicy = rpcs(SingleSignOnService, {
  // Signs the caller in at the support desk. The contract annotates SIMULATION_MANAGE, which has nothing to do with
  // asking for help; we take it for a slip and let every member. The service refuses SPECIFIC tokens: no permission
  // that a token can list allows signing in as the person.
  zendesk: { ...own(), audience: 'organization' },
});

export const currentUserPolicy = rpcs(CurrentUserService, {
  // Annotated with READ, and the prose says what happens without (contract: CurrentUserService): name and email are
  // left out, roles and permissions are told. The prose decides, or a token could not find out what it may do.
  currentUser: { ...own(), audience: 'caller-in-organization' },
  accessibleOrganizations: own('READ'),
  updateDefaultOrganization: own('UPDATE'),
  updateMissionControlSettings: own('UPDATE'),
  acceptTermsAndConditions: own('UPDATE'),
  logPasswordUpdated: own('UPDATE'),
  overrideRoles: { ...own('UPDATE'), audience: 'organization' },
  restoreRoles: own('UPDATE'),
  requestAccess: own('REQUEST_ACCESS'),
  cancelAccessRequest: own('REQUEST_ACCESS'),
  listOrganizationInvites: own('REQUEST_ACCESS'),
  acceptOrganizationInvite: own('REQUEST_ACCESS'),
  deleteCurrentUser: own('DELETE'),
});

export const unitPreferencesPolicy = rpcs(UnitPreferencesService, {
  // One rpc reads and changes; changing asks for UPDATE.
  unitPreferences: own('READ'),
});
