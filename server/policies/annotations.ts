// Restates the permission annotations of the contract, rpc by rpc: data, not judgement. What they gate and what they
// merely widen differs per rpc (an rpc lists several), so the policies read this table and decide that themselves.
// `tests/contract` loops over it: every rpc of the contract has a row here, and the other way round.
import type { OrganizationPermission, SupportPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';

/** The permissions tied to one rpc, by the names of the contract's enums. */
export type RpcAnnotation = {
  /** Held in the organization that the request names; `PERMISSION_DEFAULT` is any member of it. */
  readonly organization: readonly (keyof typeof OrganizationPermission)[];
  /** Held over the caller's own account. */
  readonly user: readonly (keyof typeof UserPermission)[];
  /** Held by the operator's staff. */
  readonly support: readonly (keyof typeof SupportPermission)[];
};

/** The contract annotates nothing; a signed-in caller is still asked for. */
const none: RpcAnnotation = { organization: [], user: [], support: [] };

const organization = (...permissions: RpcAnnotation['organization']): RpcAnnotation => ({
  ...none,
  organization: permissions,
});

const user = (...permissions: RpcAnnotation['user']): RpcAnnotation => ({ ...none, user: permissions });

/** What it takes to see every kind of event, publisher events aside. */
const eventKinds = [
  'ORGANIZATION_CREATE',
  'ORGANIZATION_UPDATE',
  'ORGANIZATION_DELETE',
  'PROCESS_POINTS',
  'ASSETS',
  'MODEMS',
  'MODEM_MESSAGES',
  'MODEMS_MESSAGE_BODY_PARSERS',
  'MODEMS_ALARMS',
  'TRANSFERS',
  'USERS',
  'USERS_MANAGE',
  'TOKENS',
  'EXPORT',
] as const;

/** Full service name -> rpc name, as in the proto files -> annotation. */
export const annotations = {
  'hiber.assign.AssignmentService': {
    List: organization('ASSIGNMENTS'),
    Assign: organization(
      'ASSIGNMENTS',
      'MODEMS',
      'MODEMS_MESSAGE_BODY_PARSERS',
      'MODEMS_ALARMS',
      'PROCESS_POINTS',
      'ASSETS',
    ),
    Unassign: organization('ASSIGNMENTS', 'MODEMS_MESSAGE_BODY_PARSERS'),
    Delete: organization('ASSIGNMENTS', 'MODEMS_MESSAGE_BODY_PARSERS'),
    AssetAssignments: organization('ASSETS', 'MODEMS_ALARMS'),
    ProcessPointAssignments: organization('PROCESS_POINTS', 'MODEMS_ALARMS'),
    ModemAssignments: organization('MODEMS', 'MODEMS_MESSAGE_BODY_PARSERS', 'MODEMS_ALARMS'),
    TagAssignments: organization('MODEMS', 'MODEMS_MESSAGE_BODY_PARSERS', 'MODEMS_ALARMS'),
    AlarmAssignments: organization('MODEMS', 'MODEMS_ALARMS'),
    ModemMessageBodyParserAssignments: organization('MODEMS', 'MODEMS_MESSAGE_BODY_PARSERS'),
  },
  'hiber.certificate.CertificateService': {
    List: organization('CERTIFICATES'),
    Rename: organization('CERTIFICATES_MANAGE'),
    Upload: organization('CERTIFICATES_MANAGE'),
    Delete: organization('CERTIFICATES_MANAGE'),
  },
  'hiber.device.DeviceService': {
    List: { ...organization('MODEMS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Update: {
      ...organization('MODEMS_UPDATE', 'MODEMS_UPDATE_FILES'),
      support: [
        'DEVICE_VIEW_ALL_LIFECYCLES',
        'MANAGE_DEVICE_SLA',
        'MANAGE_DEVICE_TIME_ZONE',
        'MANAGE_DEVICE_TRANSMISSION_INTERVAL',
      ],
    },
    Lifecycles: { ...none, support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Settings: { ...organization('MODEMS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.device.firmware.DeviceFirmwareService': {
    Get: organization('MODEMS', 'MODEMS_FIRMWARE'),
    ClearDeviceFirmwareRequirement: organization('MODEMS', 'MODEMS_FIRMWARE'),
  },
  'hiber.device.note.DeviceNoteService': {
    List: organization('MODEMS', 'PROCESS_POINTS'),
    Add: organization('MODEMS_UPDATE_NOTES'),
    Update: organization('MODEMS_UPDATE_NOTES'),
  },
  'hiber.device.type.DeviceTypeService': {
    List: organization('PERMISSION_DEFAULT'),
  },
  'hiber.email.EmailNotificationPreferencesService': {
    View: organization('PUBLISHERS'),
    Update: { ...organization('PUBLISHERS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Delete: organization('PUBLISHERS'),
    History: organization('PUBLISHERS'),
  },
  'hiber.event.EventService': {
    List: { ...organization(...eventKinds, 'PUBLISHERS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Stream: { ...organization(...eventKinds, 'PUBLISHERS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    History: { ...organization(...eventKinds, 'PUBLISHERS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    ModemHealth: {
      ...organization('MODEMS', 'MODEM_MESSAGES', 'MODEMS_MESSAGE_BODY_PARSERS', 'MODEMS_ALARMS', 'TRANSFERS'),
      support: ['DEVICE_VIEW_ALL_LIFECYCLES'],
    },
    Resolve: organization('ORGANIZATION_UPDATE'),
    MarkResolved: organization('ORGANIZATION_UPDATE'),
    GetEventConfiguration: organization('PERMISSION_DEFAULT'),
    UpdateEventConfiguration: organization('ORGANIZATION_UPDATE'),
    UpdateEventHealthConfiguration: organization('ORGANIZATION_UPDATE'),
  },
  'hiber.export.ExportService': {
    List: organization('EXPORT'),
    Create: organization('EXPORT', 'MODEM_MESSAGES', 'ASSETS_VALUES', 'PROCESS_POINTS_VALUES'),
    AvailableFields: organization('PERMISSION_DEFAULT', 'MODEM_MESSAGES'),
    Extend: organization('EXPORT'),
    Delete: organization('EXPORT'),
  },
  'hiber.field.FieldService': {
    List: organization('MODEMS', 'MODEM_MESSAGES'),
    ForAsset: organization('ASSETS_VALUES'),
    ForProcessPoint: organization('PROCESS_POINTS_VALUES'),
    ForModem: { ...organization('MODEMS', 'MODEM_MESSAGES'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Add: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    ReplaceAll: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Delete: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Update: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    UpdateNumericDetails: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    UpdateEnumValues: organization('MODEMS_MESSAGE_BODY_PARSERS'),
  },
  'hiber.file.FileService': {
    List: organization('PERMISSION_DEFAULT'),
    Get: organization('FILES'),
    Upload: organization('FILES_UPLOAD'),
    Delete: { ...none, support: ['MANAGE_FILES'] },
  },
  'hiber.health.HealthService': {
    List: organization('PERMISSION_DEFAULT'),
    Reorder: organization('HEALTH_MANAGE'),
    Add: organization('HEALTH_MANAGE'),
    Update: organization('HEALTH_MANAGE'),
    Remove: organization('HEALTH_MANAGE'),
  },
  'hiber.integration.mqtt.MQTTService': {
    List: organization('PUBLISHERS'),
    Create: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Update: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateTags: organization('PUBLISHERS'),
    Enable: organization('PUBLISHERS'),
    Disable: organization('PUBLISHERS'),
    Delete: organization('PUBLISHERS'),
    History: organization('PUBLISHERS'),
  },
  'hiber.integration.slack.SlackIntegrationService': {
    List: organization('PUBLISHERS'),
    Create: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Update: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateTags: organization('PUBLISHERS'),
    Enable: organization('PUBLISHERS'),
    Disable: organization('PUBLISHERS'),
    Delete: organization('PUBLISHERS'),
    History: organization('PUBLISHERS'),
  },
  'hiber.map.MapService': {
    TileMap: { ...organization('MODEMS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    LocationHistory: { ...organization('MODEMS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.message.MessageService': {
    List: { ...organization('MODEM_MESSAGES'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Count: { ...organization('MODEM_MESSAGES'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.modem.ModemService': {
    Get: { ...organization('MODEMS', 'PROCESS_POINTS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Create: {
      ...organization('MODEMS_CREATE'),
      support: [
        'DEVICE_VIEW_ALL_LIFECYCLES',
        'MANAGE_DEVICE_SLA',
        'MANAGE_DEVICE_TIME_ZONE',
        'MANAGE_DEVICE_TRANSMISSION_INTERVAL',
      ],
    },
    List: { ...organization('MODEMS', 'PROCESS_POINTS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Grouped: { ...organization('MODEMS', 'PROCESS_POINTS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Lifecycles: { ...none, support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Messages: { ...organization('MODEM_MESSAGES'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateTags: { ...organization('MODEMS_UPDATE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    TagCount: { ...organization('MODEMS'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.modem.alarm.ModemAlarmService': {
    List: organization('MODEMS_ALARMS'),
    Create: organization('MODEMS_ALARMS_UPDATE'),
    Update: organization('MODEMS_ALARMS_UPDATE'),
    Delete: organization('MODEMS_ALARMS_UPDATE'),
    AddCheck: organization('MODEMS_ALARMS_UPDATE'),
    UpdateCheck: organization('MODEMS_ALARMS_UPDATE'),
    RemoveCheck: organization('MODEMS_ALARMS_UPDATE'),
    TestParameters: organization('MODEMS_ALARMS'),
    Assign: organization('MODEMS_ALARMS', 'ASSIGNMENTS', 'MODEMS', 'PROCESS_POINTS', 'ASSETS'),
    Unassign: organization('MODEMS_ALARMS', 'ASSIGNMENTS', 'MODEMS'),
  },
  'hiber.modem.message.bodyparser.ModemMessageBodyParserService': {
    List: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Upload: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    UpdateUploaded: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    CreateSimple: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    UpdateSimple: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Rename: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    UpdateChildOrganizationAvailability: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    MakeAvailableToChildOrganization: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    MakeUnavailableToChildOrganization: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Delete: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Test: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Retry: organization('MODEMS_MESSAGE_BODY_PARSERS'),
    Assign: organization('MODEMS_MESSAGE_BODY_PARSERS', 'ASSIGNMENTS', 'MODEMS'),
    Unassign: organization('MODEMS_MESSAGE_BODY_PARSERS', 'ASSIGNMENTS', 'MODEMS'),
  },
  'hiber.organization.OrganizationService': {
    Create: { ...organization('ORGANIZATION_CREATE'), user: ['UPDATE'] },
    Get: organization('PERMISSION_DEFAULT'),
    Update: organization('ORGANIZATION_UPDATE'),
    Delete: organization('ORGANIZATION_DELETE'),
    Tree: organization('PERMISSION_DEFAULT'),
    ListChildOrganizations: organization('PERMISSION_DEFAULT'),
    ValidateCreationToken: user('UPDATE'),
    GetAvatar: organization('PERMISSION_DEFAULT'),
  },
  'hiber.organization.location.NamedLocationService': {
    List: organization('PERMISSION_DEFAULT'),
    Create: organization('LOCATIONS_MANAGE'),
    Update: organization('LOCATIONS_MANAGE'),
    Delete: organization('LOCATIONS_MANAGE'),
  },
  'hiber.processpoint.ProcessPointService': {
    List: organization('PROCESS_POINTS'),
    Create: organization('PROCESS_POINTS_UPDATE'),
    Update: organization('PROCESS_POINTS_UPDATE'),
    Delete: organization('PROCESS_POINTS_UPDATE'),
    AssignTag: organization('PROCESS_POINTS', 'ASSIGNMENTS'),
    UnassignTag: organization('PROCESS_POINTS', 'ASSIGNMENTS'),
    AssignDevice: organization('PROCESS_POINTS', 'ASSIGNMENTS', 'MODEMS'),
    UnassignDevice: organization('PROCESS_POINTS', 'ASSIGNMENTS', 'MODEMS'),
  },
  'hiber.role.RoleService': {
    List: organization('PERMISSION_DEFAULT'),
    Override: { ...organization('PERMISSION_DEFAULT'), user: ['UPDATE'] },
    Restore: { ...organization('PERMISSION_DEFAULT'), user: ['UPDATE'] },
  },
  'hiber.simulation.ValueSimulationService': {
    ListValueSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateValueSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    DisableValueSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.sso.SingleSignOnService': {
    Zendesk: organization('SIMULATION_MANAGE'),
  },
  'hiber.tag.TagService': {
    List: organization('PERMISSION_DEFAULT'),
    Create: organization('PERMISSION_DEFAULT'),
    Update: organization('PERMISSION_DEFAULT'),
    Delete: organization('PERMISSION_DEFAULT'),
    Health: organization('PERMISSION_DEFAULT'),
  },
  'hiber.testing.SimulationService': {
    Get: organization('SIMULATION_MANAGE'),
    Update: organization('SIMULATION_MANAGE'),
    ListModemMessageSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateModemMessageSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    DisableModemMessageSimulations: { ...organization('SIMULATION_MANAGE'), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
  },
  'hiber.testing.TestingService': {
    PushModemMessages: organization('MODEM_MESSAGES_SEND_TEST_MESSAGES'),
  },
  'hiber.token.TokenService': {
    List: organization('TOKENS', 'USERS'),
    Create: organization('TOKENS', 'USERS_MANAGE'),
    Delete: organization('TOKENS'),
    UpdateTokenOrganizationPermissions: organization('TOKENS'),
    UpdateTokenUserPermissions: organization('TOKENS'),
    UpdateTokenRoles: organization('TOKENS'),
  },
  'hiber.transfer.TransferService': {
    Transfer: organization('TRANSFERS_SEND', 'ORGANIZATION_CREATE'),
    History: organization('TRANSFERS'),
  },
  'hiber.user.CurrentUserService': {
    CurrentUser: user('READ'),
    DeleteCurrentUser: user('DELETE'),
    RequestAccess: user('REQUEST_ACCESS'),
    CancelAccessRequest: user('REQUEST_ACCESS'),
    ListOrganizationInvites: user('REQUEST_ACCESS'),
    AcceptOrganizationInvite: user('REQUEST_ACCESS'),
    AccessibleOrganizations: user('READ'),
    UpdateDefaultOrganization: user('UPDATE'),
    UpdateMissionControlSettings: user('UPDATE'),
    AcceptTermsAndConditions: user('UPDATE'),
    LogPasswordUpdated: user('UPDATE'),
    OverrideRoles: { ...organization('PERMISSION_DEFAULT'), user: ['UPDATE'] },
    RestoreRoles: { ...organization('PERMISSION_DEFAULT'), user: ['UPDATE'] },
  },
  'hiber.user.UserService': {
    List: organization('USERS'),
    ListAccessRequests: organization('USERS'),
    Approve: organization('USERS_MANAGE'),
    Remove: organization('USERS_MANAGE'),
    Invite: organization('USERS_MANAGE'),
    ListInvitations: organization('USERS_MANAGE'),
    CreateUser: { ...organization('USERS_MANAGE'), support: ['MANAGE_USERS_ADVANCED'] },
    CreateUsers: { ...organization('USERS_MANAGE'), support: ['MANAGE_USERS_ADVANCED'] },
    ResetPassword: organization('USERS_MANAGE'),
    UpdateUserRoles: organization('USERS_MANAGE'),
    GetUserValidation: organization('USERS_MANAGE'),
    UpdateUserValidation: organization('USERS_MANAGE'),
    TestUserValidation: organization('USERS_MANAGE'),
    Suspend: organization('USERS_MANAGE'),
    Unsuspend: organization('USERS_MANAGE'),
    RevokeSession: organization('USERS_MANAGE'),
    RemoveRoleOverride: organization('USERS_MANAGE'),
    Activity: organization('USERS_MANAGE'),
  },
  'hiber.value.UnitPreferencesService': {
    UnitPreferences: user('READ', 'UPDATE'),
  },
  'hiber.value.ValueService': {
    List: {
      ...organization('ASSETS_VALUES', 'PROCESS_POINTS_VALUES', 'MODEM_VALUES'),
      support: ['DEVICE_VIEW_ALL_LIFECYCLES'],
    },
    Downsampled: {
      ...organization('ASSETS_VALUES', 'PROCESS_POINTS_VALUES', 'MODEM_VALUES'),
      support: ['DEVICE_VIEW_ALL_LIFECYCLES'],
    },
    Latest: {
      ...organization('ASSETS_VALUES', 'PROCESS_POINTS_VALUES', 'MODEM_VALUES'),
      support: ['DEVICE_VIEW_ALL_LIFECYCLES'],
    },
  },
  'hiber.valve.ValveService': {
    List: none,
    Initialize: organization('MODEMS'),
    Operate: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
    BleedHighPressureLine: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
    ConfirmHighPressureLineIsZero: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
    ResetValve: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
    ConfirmValveIsReset: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
    ConfirmHighPressureLineUnderPressure: organization('MODEMS_UPDATE', 'MODEM_DOWNLINK_MESSAGES'),
  },
  'hiber.webhook.WebhookService': {
    List: organization('PUBLISHERS'),
    History: organization('PUBLISHERS'),
    Create: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Enable: organization('PUBLISHERS'),
    Disable: organization('PUBLISHERS'),
    UpdateFilter: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    Update: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateWebhooks: { ...organization('PUBLISHERS', ...eventKinds), support: ['DEVICE_VIEW_ALL_LIFECYCLES'] },
    UpdateTags: organization('PUBLISHERS'),
    Get: organization('PUBLISHERS'),
    Delete: organization('PUBLISHERS'),
  },
} as const satisfies Record<string, Record<string, RpcAnnotation>>;
