type Requirement = { readonly organization: string } | { readonly user: string } | { readonly support: string };

/**
 * The abilities of users (spec 6), each with the contract permission that it requires. The console disables commands
 * accordingly, and the server's policy test compares the policies with this list.
 */
export const abilities = {
  VIEW_DEVICES: { organization: 'MODEMS' },
  CREATE_DEVICE: { organization: 'MODEMS_CREATE' },
  EDIT_DEVICE: { organization: 'MODEMS_UPDATE' },
  MODEMS_UPDATE_NOTES: { organization: 'MODEMS_UPDATE_NOTES' },
  VIEW_DEVICE_VALUES: { organization: 'MODEM_VALUES' },
  VIEW_MESSAGES: { organization: 'MODEM_MESSAGES' },
  SEND_TEST_MESSAGES: { organization: 'MODEM_MESSAGES_SEND_TEST_MESSAGES' },
  MODEMS_UPDATE_FILES: { organization: 'MODEMS_UPDATE_FILES' },
  MODEMS_FIRMWARE: { organization: 'MODEMS_FIRMWARE' },
  FILES: { organization: 'FILES' },
  FILES_UPLOAD: { organization: 'FILES_UPLOAD' },
  SECURE_NOTES: { organization: 'MODEMS_SECURE_NOTES' },
  VIEW_ALARMS: { organization: 'MODEMS_ALARMS' },
  VIEW_TRANSFERS: { organization: 'TRANSFERS' },
  SEND_TRANSFER: { organization: 'TRANSFERS_SEND' },
  EXPORT: { organization: 'EXPORT' },
  CREATE_ORGANIZATION: { organization: 'ORGANIZATION_CREATE' },
  DELETE_ORGANIZATION: { organization: 'ORGANIZATION_DELETE' },
  UPDATE_LOGO: { organization: 'ORGANIZATION_UPDATE' },
  ASSIGNMENTS: { organization: 'ASSIGNMENTS' },
  MANAGE_ALARMS: { organization: 'MODEMS_ALARMS_UPDATE' },
  ASSIGN_TAGS: { organization: 'TAGS_MANAGE' },
  MANAGE_TAGS: { organization: 'TAGS_MANAGE' },
  VIEW_USERS: { organization: 'USERS' },
  MANAGE_USERS: { organization: 'USERS_MANAGE' },
  VIEW_PROCESS_POINTS: { organization: 'PROCESS_POINTS' },
  UPDATE_PROCESS_POINTS: { organization: 'PROCESS_POINTS_UPDATE' },
  VIEW_POINT_VALUES: { organization: 'PROCESS_POINTS_VALUES' },
  PUBLISHERS: { organization: 'PUBLISHERS' },
  MANAGE_TOKENS: { organization: 'TOKENS' },
  MANAGE_PARSERS: { organization: 'MODEMS_MESSAGE_BODY_PARSERS' },
  CERTIFICATES: { organization: 'CERTIFICATES' },
  MANAGE_CERTIFICATES: { organization: 'CERTIFICATES_MANAGE' },
  UPDATE_SELF: { user: 'UPDATE' },
  REQUEST_ACCESS: { user: 'REQUEST_ACCESS' },
  DELETE_SELF: { user: 'DELETE' },
  TRANSMISSION_INTERVAL: { support: 'MANAGE_DEVICE_TRANSMISSION_INTERVAL' },
  DEVICE_SLA: { support: 'MANAGE_DEVICE_SLA' },
  DEVICE_LIFECYCLE: { support: 'DEVICE_VIEW_ALL_LIFECYCLES' },
  DEVICE_TIMEZONE: { support: 'MANAGE_DEVICE_TIME_ZONE' },
  MANAGE_FILES: { support: 'MANAGE_FILES' },
  CUSTOM_TAGS: { support: 'CUSTOM_TAGS' },
  CUSTOMER_SUPPORT: { support: 'CUSTOMER_SUPPORT' },
} as const satisfies Record<string, Requirement>;

export type Ability = keyof typeof abilities;

/** The result of the contract's permission filter: all permissions, or the named ones (included minus excluded). */
export interface PermissionSet {
  readonly all: boolean;
  readonly names: ReadonlySet<string>;
}

export interface Grants {
  readonly organization: PermissionSet;
  readonly user: PermissionSet;
  readonly support: PermissionSet;
}

/** Returns the abilities that the grants include. Support permissions are never granted by `all` (spec 6). */
export function toAbilities(grants: Grants): ReadonlySet<Ability> {
  const grantedAbilities = new Set<Ability>();
  for (const [ability, requirement] of Object.entries(abilities) as [Ability, Requirement][]) {
    if (isGranted(grants, requirement)) grantedAbilities.add(ability);
  }
  return grantedAbilities;
}

/** True if an ability comes from a support permission, which an organization's administrator cannot grant (spec 6). */
export function isSupportOnly(ability: Ability): boolean {
  return 'support' in abilities[ability];
}

/** True if an ability concerns only the user's own account and does not depend on an organization. */
export function isPersonal(ability: Ability): boolean {
  return 'user' in abilities[ability];
}

/** Returns the contract's name for the permission that an ability requires. */
export function permissionOf(ability: Ability): string {
  const requirement: Requirement = abilities[ability];
  return 'organization' in requirement
    ? requirement.organization
    : 'user' in requirement
      ? requirement.user
      : requirement.support;
}

function isGranted(grants: Grants, requirement: Requirement): boolean {
  if ('support' in requirement) return grants.support.names.has(requirement.support);
  const [permissions, name] =
    'organization' in requirement ? [grants.organization, requirement.organization] : [grants.user, requirement.user];
  return permissions.all || permissions.names.has(name);
}
