import type { DescMethod, DescService, Message } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import type { Health } from './gen/grpc/health/v1/health_pb.ts';
import type { ServerReflection } from './gen/grpc/reflection/v1/reflection_pb.ts';
import type { ServerReflection as ServerReflectionV1Alpha } from './gen/grpc/reflection/v1alpha/reflection_pb.ts';
import type { ModemAlarmService } from './gen/hiber/alarm_pb.ts';
import type { AssignmentService } from './gen/hiber/assignment_pb.ts';
import type { CertificateService } from './gen/hiber/certificate_pb.ts';
import type { CurrentUserService } from './gen/hiber/current_user_pb.ts';
import type { DeviceService } from './gen/hiber/device_pb.ts';
import type { DeviceFirmwareService } from './gen/hiber/device_firmware_pb.ts';
import type { DeviceNoteService } from './gen/hiber/device_note_pb.ts';
import type { DeviceTypeService } from './gen/hiber/device_type_pb.ts';
import type { EmailNotificationPreferencesService } from './gen/hiber/email_pb.ts';
import type { EventService } from './gen/hiber/event_service_pb.ts';
import type { ExportService } from './gen/hiber/export_pb.ts';
import type { FieldService } from './gen/hiber/field_service_pb.ts';
import type { FileService } from './gen/hiber/file_pb.ts';
import type { HealthService } from './gen/hiber/health_pb.ts';
import type { MapService } from './gen/hiber/map_pb.ts';
import type { MessageService } from './gen/hiber/message_pb.ts';
import type { ModemService } from './gen/hiber/modem_pb.ts';
import type { MQTTService } from './gen/hiber/mqtt_pb.ts';
import type { NamedLocationService } from './gen/hiber/named_location_pb.ts';
import type { OrganizationService } from './gen/hiber/organization_pb.ts';
import type { ModemMessageBodyParserService } from './gen/hiber/parser_pb.ts';
import type { ProcessPointService } from './gen/hiber/process_point_service_pb.ts';
import type { RoleService } from './gen/hiber/role_service_pb.ts';
import type { SimulationService } from './gen/hiber/simulation_pb.ts';
import type { SlackIntegrationService } from './gen/hiber/slack_pb.ts';
import type { SingleSignOnService } from './gen/hiber/sso_pb.ts';
import type { TagService } from './gen/hiber/tag_pb.ts';
import type { TestingService } from './gen/hiber/testing_pb.ts';
import type { TokenService } from './gen/hiber/token_pb.ts';
import type { TransferService } from './gen/hiber/transfer_pb.ts';
import type { UnitPreferencesService } from './gen/hiber/unit_preferences_pb.ts';
import type { UserService } from './gen/hiber/user_pb.ts';
import type { ValueService } from './gen/hiber/value_service_pb.ts';
import type { ValueSimulationService } from './gen/hiber/value_simulation_pb.ts';
import type { ValveService } from './gen/hiber/valve_pb.ts';
import type { WebhookService } from './gen/hiber/webhook_pb.ts';
import type { ServerService } from './gen/quarterdeck/server/v1/server_service_pb.ts';
import type { SessionService } from './gen/quarterdeck/session/v1/session_service_pb.ts';
import type { SupportService } from './gen/quarterdeck/support/v1/support_service_pb.ts';
import type { WebhookDeliveryService } from './gen/quarterdeck/webhook/v1/webhook_delivery_service_pb.ts';

/** What a call does to the organization that it acts in. */
export type Effect =
  /** Changes nothing. */
  | 'read'
  /** Changes something, or makes something happen there. */
  | 'change'
  /** Affects only the caller, wherever they act. */
  | 'own';

/** Affects only the caller unless the request names a member in the field `unless`. */
interface OwnUnless {
  readonly unless: string;
  readonly otherwise: Exclude<Effect, 'own'>;
}

/** One entry per rpc: an rpc without one, or an entry without an rpc, does not compile. */
type Effects<S extends DescService> = { readonly [M in keyof S['method']]: Effect | OwnUnless };

/**
 * The effect of every rpc, of the contract and of ours: the only place that says it. The server decides by it what a
 * read-only support session may call; consoles and tests read the same table.
 */
export const effects = {
  'grpc.health.v1.Health': {
    check: 'read',
    list: 'read',
    watch: 'read',
  } satisfies Effects<typeof Health>,
  'grpc.reflection.v1.ServerReflection': {
    serverReflectionInfo: 'read',
  } satisfies Effects<typeof ServerReflection>,
  'grpc.reflection.v1alpha.ServerReflection': {
    serverReflectionInfo: 'read',
  } satisfies Effects<typeof ServerReflectionV1Alpha>,
  'hiber.assign.AssignmentService': {
    list: 'read',
    assign: 'change',
    unassign: 'change',
    delete: 'change',
    assetAssignments: 'read',
    processPointAssignments: 'read',
    modemAssignments: 'read',
    tagAssignments: 'read',
    alarmAssignments: 'read',
    modemMessageBodyParserAssignments: 'read',
  } satisfies Effects<typeof AssignmentService>,
  'hiber.certificate.CertificateService': {
    list: 'read',
    rename: 'change',
    upload: 'change',
    delete: 'change',
  } satisfies Effects<typeof CertificateService>,
  'hiber.device.DeviceService': {
    list: 'read',
    update: 'change',
    lifecycles: 'read',
    settings: 'read',
  } satisfies Effects<typeof DeviceService>,
  'hiber.device.firmware.DeviceFirmwareService': {
    get: 'read',
    clearDeviceFirmwareRequirement: 'change',
  } satisfies Effects<typeof DeviceFirmwareService>,
  'hiber.device.note.DeviceNoteService': {
    list: 'read',
    add: 'change',
    update: 'change',
  } satisfies Effects<typeof DeviceNoteService>,
  'hiber.device.type.DeviceTypeService': {
    list: 'read',
  } satisfies Effects<typeof DeviceTypeService>,
  'hiber.email.EmailNotificationPreferencesService': {
    view: 'read',
    update: 'change',
    delete: 'change',
    history: 'read',
  } satisfies Effects<typeof EmailNotificationPreferencesService>,
  'hiber.event.EventService': {
    list: 'read',
    history: 'read',
    modemHealth: 'read',
    stream: 'read',
    resolve: 'change',
    markResolved: 'change',
    getEventConfiguration: 'read',
    updateEventConfiguration: 'change',
    updateEventHealthConfiguration: 'change',
  } satisfies Effects<typeof EventService>,
  'hiber.export.ExportService': {
    list: 'read',
    create: 'change',
    availableFields: 'read',
    extend: 'change',
    delete: 'change',
  } satisfies Effects<typeof ExportService>,
  'hiber.field.FieldService': {
    list: 'read',
    forAsset: 'read',
    forProcessPoint: 'read',
    forModem: 'read',
    add: 'change',
    replaceAll: 'change',
    delete: 'change',
    update: 'change',
    updateNumericDetails: 'change',
    updateEnumValues: 'change',
  } satisfies Effects<typeof FieldService>,
  'hiber.file.FileService': {
    list: 'read',
    get: 'read',
    upload: 'change',
    delete: 'change',
  } satisfies Effects<typeof FileService>,
  'hiber.health.HealthService': {
    list: 'read',
    reorder: 'change',
    add: 'change',
    update: 'change',
    remove: 'change',
  } satisfies Effects<typeof HealthService>,
  'hiber.integration.mqtt.MQTTService': {
    list: 'read',
    create: 'change',
    update: 'change',
    updateTags: 'change',
    enable: 'change',
    disable: 'change',
    delete: 'change',
    history: 'read',
  } satisfies Effects<typeof MQTTService>,
  'hiber.integration.slack.SlackIntegrationService': {
    list: 'read',
    create: 'change',
    update: 'change',
    updateTags: 'change',
    enable: 'change',
    disable: 'change',
    delete: 'change',
    history: 'read',
  } satisfies Effects<typeof SlackIntegrationService>,
  'hiber.map.MapService': {
    tileMap: 'read',
    locationHistory: 'read',
  } satisfies Effects<typeof MapService>,
  'hiber.message.MessageService': {
    list: 'read',
    count: 'read',
  } satisfies Effects<typeof MessageService>,
  'hiber.modem.ModemService': {
    list: 'read',
    grouped: 'read',
    get: 'read',
    lifecycles: 'read',
    tagCount: 'read',
    create: 'change',
    updateTags: 'change',
    messages: 'read',
  } satisfies Effects<typeof ModemService>,
  'hiber.modem.alarm.ModemAlarmService': {
    list: 'read',
    create: 'change',
    update: 'change',
    delete: 'change',
    addCheck: 'change',
    updateCheck: 'change',
    removeCheck: 'change',
    // Tries out an alarm and stores nothing.
    testParameters: 'read',
    assign: 'change',
    unassign: 'change',
  } satisfies Effects<typeof ModemAlarmService>,
  'hiber.modem.message.bodyparser.ModemMessageBodyParserService': {
    list: 'read',
    upload: 'change',
    updateUploaded: 'change',
    createSimple: 'change',
    updateSimple: 'change',
    rename: 'change',
    updateChildOrganizationAvailability: 'change',
    makeAvailableToChildOrganization: 'change',
    makeUnavailableToChildOrganization: 'change',
    delete: 'change',
    // Applies a parser and stores nothing.
    test: 'read',
    retry: 'change',
    assign: 'change',
    unassign: 'change',
  } satisfies Effects<typeof ModemMessageBodyParserService>,
  'hiber.organization.OrganizationService': {
    get: 'read',
    tree: 'read',
    listChildOrganizations: 'read',
    getAvatar: 'read',
    create: 'change',
    validateCreationToken: 'read',
    update: 'change',
    delete: 'change',
  } satisfies Effects<typeof OrganizationService>,
  'hiber.organization.location.NamedLocationService': {
    list: 'read',
    create: 'change',
    update: 'change',
    delete: 'change',
  } satisfies Effects<typeof NamedLocationService>,
  'hiber.processpoint.ProcessPointService': {
    list: 'read',
    create: 'change',
    update: 'change',
    delete: 'change',
    assignTag: 'change',
    unassignTag: 'change',
    assignDevice: 'change',
    unassignDevice: 'change',
  } satisfies Effects<typeof ProcessPointService>,
  'hiber.role.RoleService': {
    list: 'read',
    override: 'own',
    restore: 'own',
  } satisfies Effects<typeof RoleService>,
  'hiber.simulation.ValueSimulationService': {
    listValueSimulations: 'read',
    updateValueSimulations: 'change',
    disableValueSimulations: 'change',
  } satisfies Effects<typeof ValueSimulationService>,
  'hiber.sso.SingleSignOnService': {
    // Signs the caller in at the support desk.
    zendesk: 'own',
  } satisfies Effects<typeof SingleSignOnService>,
  'hiber.tag.TagService': {
    list: 'read',
    create: 'change',
    update: 'change',
    delete: 'change',
    health: 'read',
  } satisfies Effects<typeof TagService>,
  'hiber.testing.SimulationService': {
    get: 'read',
    update: 'change',
    listModemMessageSimulations: 'read',
    updateModemMessageSimulations: 'change',
    disableModemMessageSimulations: 'change',
  } satisfies Effects<typeof SimulationService>,
  'hiber.testing.TestingService': {
    pushModemMessages: 'change',
  } satisfies Effects<typeof TestingService>,
  'hiber.token.TokenService': {
    list: 'read',
    create: 'change',
    delete: 'change',
    updateTokenOrganizationPermissions: 'change',
    updateTokenUserPermissions: 'change',
    updateTokenRoles: 'change',
  } satisfies Effects<typeof TokenService>,
  'hiber.transfer.TransferService': {
    transfer: 'change',
    history: 'read',
  } satisfies Effects<typeof TransferService>,
  'hiber.user.CurrentUserService': {
    currentUser: 'own',
    accessibleOrganizations: 'own',
    updateDefaultOrganization: 'own',
    updateMissionControlSettings: 'own',
    acceptTermsAndConditions: 'own',
    logPasswordUpdated: 'own',
    overrideRoles: 'own',
    restoreRoles: 'own',
    requestAccess: 'own',
    cancelAccessRequest: 'own',
    listOrganizationInvites: 'own',
    acceptOrganizationInvite: 'own',
    deleteCurrentUser: 'own',
  } satisfies Effects<typeof CurrentUserService>,
  'hiber.user.UserService': {
    list: 'read',
    activity: 'read',
    createUser: 'change',
    createUsers: 'change',
    updateUserRoles: 'change',
    removeRoleOverride: 'change',
    resetPassword: 'change',
    suspend: 'change',
    unsuspend: 'change',
    revokeSession: 'change',
    remove: 'change',
    invite: 'change',
    listInvitations: 'read',
    listAccessRequests: 'read',
    approve: 'change',
    getUserValidation: 'read',
    updateUserValidation: 'change',
    testUserValidation: 'read',
  } satisfies Effects<typeof UserService>,
  'hiber.value.UnitPreferencesService': {
    unitPreferences: 'own',
  } satisfies Effects<typeof UnitPreferencesService>,
  'hiber.value.ValueService': {
    list: 'read',
    downsampled: 'read',
    latest: 'read',
  } satisfies Effects<typeof ValueService>,
  'hiber.valve.ValveService': {
    list: 'read',
    initialize: 'change',
    operate: 'change',
    bleedHighPressureLine: 'change',
    confirmHighPressureLineIsZero: 'change',
    resetValve: 'change',
    confirmValveIsReset: 'change',
    confirmHighPressureLineUnderPressure: 'change',
  } satisfies Effects<typeof ValveService>,
  'hiber.webhook.WebhookService': {
    list: 'read',
    get: 'read',
    history: 'read',
    create: 'change',
    update: 'change',
    updateWebhooks: 'change',
    updateFilter: 'change',
    updateTags: 'change',
    enable: 'change',
    disable: 'change',
    delete: 'change',
  } satisfies Effects<typeof WebhookService>,
  'quarterdeck.server.v1.ServerService': {
    info: 'read',
  } satisfies Effects<typeof ServerService>,
  'quarterdeck.session.v1.SessionService': {
    list: { unless: 'userId', otherwise: 'read' },
    revoke: { unless: 'userId', otherwise: 'change' },
    members: 'read',
  } satisfies Effects<typeof SessionService>,
  'quarterdeck.support.v1.SupportService': {
    beginVisit: 'own',
    allowChanges: 'own',
    endVisit: 'own',
    listVisits: 'own',
    listCalls: 'own',
    issueCreationToken: 'own',
  } satisfies Effects<typeof SupportService>,
  'quarterdeck.webhook.v1.WebhookDeliveryService': {
    healthCount: 'read',
    // Calls a receiver.
    test: 'change',
    resend: 'change',
  } satisfies Effects<typeof WebhookDeliveryService>,
} as const;

/** @param request what is asked; without it the answer is for a request that names somebody else where it can */
export function effectOf(method: DescMethod, request?: Message): Effect {
  const services: Readonly<Record<string, Readonly<Record<string, Effect | OwnUnless>>>> = effects;
  const effect = services[method.parent.typeName]?.[method.localName];
  if (effect === undefined)
    throw new Error(`Nothing says whether ${method.parent.typeName}.${method.name} changes anything.`);
  if (typeof effect === 'string') return effect;
  const named = method.input.field[effect.unless];
  if (named === undefined) throw new Error(`${method.input.typeName} has no field ${effect.unless}.`);
  return request === undefined || reflect(method.input, request).isSet(named) ? effect.otherwise : 'own';
}
