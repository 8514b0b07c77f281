// The permissions from the contract's tables and the roles from the product's catalog, listed explicitly.

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

export const organizationPermissions = list(`
  ORGANIZATION_CREATE ORGANIZATION_UPDATE ORGANIZATION_DELETE
  PROCESS_POINTS PROCESS_POINTS_UPDATE PROCESS_POINTS_VALUES
  MODEMS MODEMS_CREATE MODEMS_UPDATE MODEMS_UPDATE_FILES MODEMS_UPDATE_NOTES MODEMS_LICENSE_KEYS
  MODEMS_MESSAGE_BODY_PARSERS MODEMS_SECURE_NOTES MODEMS_FIRMWARE MODEMS_ALARMS MODEMS_ALARMS_UPDATE
  MODEM_VALUES MODEM_MESSAGES MODEM_MESSAGES_SEND_TEST_MESSAGES MODEM_MESSAGES_SEND_REAL_MESSAGES
  MODEM_DOWNLINK_MESSAGES TRANSFERS TRANSFERS_SEND USERS USERS_MANAGE PUBLISHERS TOKENS CERTIFICATES
  CERTIFICATES_MANAGE ASSIGNMENTS SIMULATION_MANAGE HEALTH_MANAGE LOCATIONS_MANAGE EXPORT TAGS_MANAGE FILES FILES_UPLOAD
`);

export const userPermissions = list('READ UPDATE REQUEST_ACCESS DELETE');

export const supportPermissions = list(`
  CUSTOMER_SUPPORT MANAGE_ORGANIZATION_FEATURE MANAGE_DEVICE_TYPE CUSTOM_TAGS MANAGE_DEVICE_TRANSMISSION_INTERVAL
  MANAGE_DEVICE_SLA DEVICE_VIEW_ALL_LIFECYCLES MANAGE_DEVICE_NOTES MANAGE_DEVICE_TIME_ZONE
  MANAGE_ORGANIZATION_CONTRACT MANAGE_USERS_ADVANCED MANAGE_FILES
`);

/** The permissions that each permission includes, according to the contract's "includes" column. */
export const includedPermissions: Readonly<Record<string, readonly string[]>> = {
  PROCESS_POINTS_UPDATE: ['PROCESS_POINTS'],
  MODEMS_CREATE: ['MODEMS'],
  MODEMS_UPDATE: ['MODEMS'],
  MODEMS_LICENSE_KEYS: ['MODEMS'],
  MODEMS_MESSAGE_BODY_PARSERS: ['MODEMS'],
  MODEMS_SECURE_NOTES: ['MODEMS'],
  MODEMS_ALARMS: ['MODEMS'],
  MODEMS_ALARMS_UPDATE: ['MODEMS'],
  USERS_MANAGE: ['USERS'],
  CERTIFICATES_MANAGE: ['CERTIFICATES'],
  FILES_UPLOAD: ['FILES'],
  UPDATE: ['READ'],
  // Contract: User permissions, DELETE includes READ.
  DELETE: ['READ'],
};

const viewer = list(`
  MODEMS MODEMS_ALARMS MODEM_VALUES MODEM_MESSAGES PROCESS_POINTS PROCESS_POINTS_VALUES TRANSFERS FILES
`);
const operator = list(`
  ${viewer.join(' ')} MODEMS_UPDATE MODEMS_UPDATE_FILES MODEMS_UPDATE_NOTES MODEMS_SECURE_NOTES MODEMS_ALARMS_UPDATE
  MODEM_DOWNLINK_MESSAGES PROCESS_POINTS_UPDATE ASSIGNMENTS TAGS_MANAGE LOCATIONS_MANAGE TRANSFERS_SEND EXPORT FILES_UPLOAD
`);
const developer = list(`
  ${operator.join(' ')} MODEMS_CREATE MODEMS_MESSAGE_BODY_PARSERS MODEM_MESSAGES_SEND_TEST_MESSAGES PUBLISHERS TOKENS
  CERTIFICATES CERTIFICATES_MANAGE SIMULATION_MANAGE
`);

/** The complete permissions of each role, including those included by others. */
export const expectedRoles: Readonly<Record<string, { organization: readonly string[]; support: readonly string[] }>> =
  {
    viewer: { organization: viewer, support: [] },
    operator: { organization: operator, support: [] },
    developer: { organization: developer, support: [] },
    administrator: { organization: organizationPermissions, support: [] },
    installer: {
      organization: list(`
      MODEMS MODEMS_UPDATE MODEMS_UPDATE_FILES MODEMS_UPDATE_NOTES MODEMS_FIRMWARE MODEM_MESSAGES PROCESS_POINTS
      ASSIGNMENTS FILES FILES_UPLOAD
    `),
      support: [],
    },
    support: { organization: organizationPermissions, support: supportPermissions },
  };
