import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { SingleSignOnService } from '#proto/gen/hiber/sso_pb.ts';
import { UnitPreferencesService } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { ownAccount, rpcs } from '#server/policies/rpcs.ts';

export const ssoPolicy = rpcs(SingleSignOnService, {
  // Signs the caller in at the help desk. The contract annotates SIMULATION_MANAGE, which is unrelated to asking for
  // help. We consider that a mistake, and allow every member. The service denies SPECIFIC tokens because no permission
  // that a token can list allows signing in as the person.
  zendesk: { ...ownAccount(), audience: 'organization' },
});

export const currentUserPolicy = rpcs(CurrentUserService, {
  // The contract annotates READ, but its prose describes a call without READ (contract: CurrentUserService), which
  // omits name and email but returns roles and permissions. We follow the prose. Otherwise, a token couldn't find out
  // its own permissions.
  currentUser: { ...ownAccount(), audience: 'caller-in-organization' },
  accessibleOrganizations: ownAccount('READ'),
  updateDefaultOrganization: ownAccount('UPDATE'),
  updateMissionControlSettings: ownAccount('UPDATE'),
  acceptTermsAndConditions: ownAccount('UPDATE'),
  logPasswordUpdated: ownAccount('UPDATE'),
  overrideRoles: { ...ownAccount('UPDATE'), audience: 'organization' },
  restoreRoles: ownAccount('UPDATE'),
  requestAccess: ownAccount('REQUEST_ACCESS'),
  cancelAccessRequest: ownAccount('REQUEST_ACCESS'),
  listOrganizationInvites: ownAccount('REQUEST_ACCESS'),
  acceptOrganizationInvite: ownAccount('REQUEST_ACCESS'),
  deleteCurrentUser: ownAccount('DELETE'),
});

export const unitPreferencesPolicy = rpcs(UnitPreferencesService, {
  // This rpc both reads and changes the preferences; changing them requires UPDATE.
  unitPreferences: ownAccount('READ'),
});
