import {
  organizationPermissionNames,
  type OrganizationPermissionName,
  type SupportPermissionName,
  supportPermissionNames,
  withIncluded,
} from './permissions.ts';

/** A named set of permissions. All roles are predefined because the contract has no way to create one. */
export interface Role {
  readonly identifier: RoleIdentifier;
  readonly displayName: string;
  readonly description: string;
  readonly permissions: readonly OrganizationPermissionName[];
  readonly supportPermissions: readonly SupportPermissionName[];
}

export type RoleIdentifier = 'viewer' | 'operator' | 'developer' | 'administrator' | 'installer' | 'support';

const viewerPermissions: OrganizationPermissionName[] = [
  'MODEMS',
  'MODEMS_ALARMS',
  'MODEM_VALUES',
  'MODEM_MESSAGES',
  'PROCESS_POINTS',
  'PROCESS_POINTS_VALUES',
  'TRANSFERS',
  'FILES',
];

const operatorPermissions: OrganizationPermissionName[] = [
  ...viewerPermissions,
  'MODEMS_UPDATE',
  'MODEMS_UPDATE_FILES',
  'MODEMS_UPDATE_NOTES',
  'MODEMS_SECURE_NOTES',
  'MODEMS_ALARMS_UPDATE',
  'MODEM_DOWNLINK_MESSAGES',
  'PROCESS_POINTS_UPDATE',
  'ASSIGNMENTS',
  'TAGS_MANAGE',
  'LOCATIONS_MANAGE',
  'TRANSFERS_SEND',
  'EXPORT',
  'FILES_UPLOAD',
];

const developerPermissions: OrganizationPermissionName[] = [
  ...operatorPermissions,
  'MODEMS_CREATE',
  'MODEMS_MESSAGE_BODY_PARSERS',
  'MODEM_MESSAGES_SEND_TEST_MESSAGES',
  'PUBLISHERS',
  'TOKENS',
  'CERTIFICATES',
  'CERTIFICATES_MANAGE',
  'SIMULATION_MANAGE',
];

const installerPermissions: OrganizationPermissionName[] = [
  'MODEMS',
  'MODEMS_UPDATE',
  'MODEMS_UPDATE_FILES',
  'MODEMS_UPDATE_NOTES',
  'MODEMS_FIRMWARE',
  'MODEM_MESSAGES',
  'PROCESS_POINTS',
  'ASSIGNMENTS',
  'FILES',
  'FILES_UPLOAD',
];

function role(
  identifier: RoleIdentifier,
  displayName: string,
  description: string,
  permissions: readonly OrganizationPermissionName[],
  supportPermissions: readonly SupportPermissionName[] = [],
): Role {
  return { identifier, displayName, description, permissions: [...withIncluded(permissions)], supportPermissions };
}

/**
 * All roles. The contract requires an installer role in every organization and defines no other roles. The first five
 * are for customers' users, and the last is for our own support staff.
 */
export const roles: readonly Role[] = [
  role('viewer', 'Viewer', 'Sees devices, messages, and process points, without changing anything.', viewerPermissions),
  role('operator', 'Operator', 'Runs the fleet: devices, tags, alarms, transfers, and exports.', operatorPermissions),
  role('developer', 'Developer', 'Does what an operator does, and connects other systems.', developerPermissions),
  role('administrator', 'Administrator', 'Can do everything in the organization.', organizationPermissionNames),
  role('installer', 'Installer', 'Installs devices in the field, and nothing else.', installerPermissions),
  role(
    'support',
    'Support staff',
    "Our own support staff, who can act in customers' organizations.",
    organizationPermissionNames,
    supportPermissionNames,
  ),
];

const byIdentifier: ReadonlyMap<string, Role> = new Map(roles.map((role) => [role.identifier, role]));

/** Finds a role; returns undefined for an unknown identifier. */
export const findRole = (identifier: string): Role | undefined => byIdentifier.get(identifier);

/** Returns the combined permissions of several roles; unknown identifiers contribute nothing. */
export function permissionsOfRoles(identifiers: Iterable<string>): ReadonlySet<OrganizationPermissionName> {
  return new Set([...identifiers].flatMap((identifier) => byIdentifier.get(identifier)?.permissions ?? []));
}

/** Returns the support permissions of the roles. Only roles for our own support staff have any. */
export function supportPermissionsOfRoles(identifiers: Iterable<string>): ReadonlySet<SupportPermissionName> {
  return new Set([...identifiers].flatMap((identifier) => byIdentifier.get(identifier)?.supportPermissions ?? []));
}
