import type { DescMethod } from '@bufbuild/protobuf';
import { annotations, type RpcAnnotation } from './annotations.ts';
import {
  current,
  type OrganizationPermissionName,
  type PermissionName,
  type SupportPermissionName,
  type UserPermissionName,
} from './permissions.ts';

/** Whom an rpc asks for before anything else. */
export type Audience =
  /** Anybody, signed in or not. */
  | 'everyone'
  /** A signed-in person or token; the request is about themselves, and no organization is resolved. */
  | 'caller'
  /** As `caller`, but an organization that the request names must be accessible, and its permissions are resolved. */
  | 'caller-in-organization'
  /** Somebody with access to the organization that the request names, or to their default one. */
  | 'organization';

/** What must be held for a call to reach its service. */
export interface Policy {
  audience: Audience;
  /** All of these, in the organization that is acted in. Empty: any member. */
  organization: readonly OrganizationPermissionName[];
  user: readonly UserPermissionName[];
  support: readonly SupportPermissionName[];
}

type Override = Partial<Policy>;

/**
 * An rpc lists every permission that has to do with it (contract: Permissions). Those that gate the call as a whole are
 * here; the others widen its result or guard one field, and the service asks for them with `scope.can`. Without a line
 * here all organization and user permissions listed gate, and no support permission does.
 */
const overrides: Record<string, Override> = {
  // Each side of an assignment asks for its own permission, which depends on what is assigned.
  'hiber.assign.AssignmentService.Assign': { organization: ['ASSIGNMENTS'] },
  'hiber.assign.AssignmentService.Unassign': { organization: ['ASSIGNMENTS'] },
  'hiber.assign.AssignmentService.Delete': { organization: ['ASSIGNMENTS'] },
  // Details of alarms and parsers in these lists are asked for by flags, each with a permission of its own.
  'hiber.assign.AssignmentService.ProcessPointAssignments': { organization: ['PROCESS_POINTS'] },
  'hiber.assign.AssignmentService.ModemAssignments': { organization: ['MODEMS'] },
  'hiber.assign.AssignmentService.TagAssignments': { organization: ['MODEMS'] },
  'hiber.assign.AssignmentService.AlarmAssignments': { organization: ['MODEMS_ALARMS'] },
  'hiber.assign.AssignmentService.ModemMessageBodyParserAssignments': {
    organization: ['MODEMS_MESSAGE_BODY_PARSERS'],
  },
  'hiber.modem.alarm.ModemAlarmService.Assign': { organization: ['MODEMS_ALARMS', 'ASSIGNMENTS'] },
  // Reads need MODEMS; PROCESS_POINTS only fills the process points of a device.
  'hiber.modem.ModemService.Get': { organization: ['MODEMS'] },
  'hiber.modem.ModemService.List': { organization: ['MODEMS'] },
  'hiber.modem.ModemService.Grouped': { organization: ['MODEMS'] },
  'hiber.device.note.DeviceNoteService.List': { organization: ['MODEMS'] },
  // MODEMS_UPDATE_FILES guards the file fields.
  'hiber.device.DeviceService.Update': { organization: ['MODEMS_UPDATE'] },
  // PUBLISHERS is annotated for the preferences of others, whom no request can name. One's own are settings of the person
  // (contract: user permissions), so a token needs what it needs for other settings.
  'hiber.email.EmailNotificationPreferencesService.View': { organization: [], user: ['READ'] },
  'hiber.email.EmailNotificationPreferencesService.Update': { organization: [], user: ['UPDATE'] },
  'hiber.email.EmailNotificationPreferencesService.Delete': { organization: [], user: ['UPDATE'] },
  // Visibility of events follows permission, type by type: a member without any sees an empty list.
  'hiber.event.EventService.List': { organization: [] },
  'hiber.event.EventService.Stream': { organization: [] },
  'hiber.event.EventService.History': { organization: [] },
  'hiber.event.EventService.ModemHealth': { organization: ['MODEMS'] },
  // The kind of content of an export or of a list of values decides.
  'hiber.export.ExportService.Create': { organization: ['EXPORT'] },
  // Any member for process points; MODEM_MESSAGES guards the fields of messages.
  'hiber.export.ExportService.AvailableFields': { organization: [] },
  'hiber.value.ValueService.List': { organization: [] },
  'hiber.value.ValueService.Downsampled': { organization: [] },
  'hiber.value.ValueService.Latest': { organization: [] },
  // MANAGE_FILES is what this rpc is for; everywhere else a support permission changes what a normal call does.
  'hiber.file.FileService.Delete': { support: ['MANAGE_FILES'] },
  // The permission of each kind of event that is delivered is the service's to weigh.
  'hiber.integration.mqtt.MQTTService.Create': { organization: ['PUBLISHERS'] },
  'hiber.integration.mqtt.MQTTService.Update': { organization: ['PUBLISHERS'] },
  'hiber.integration.slack.SlackIntegrationService.Create': { organization: ['PUBLISHERS'] },
  'hiber.integration.slack.SlackIntegrationService.Update': { organization: ['PUBLISHERS'] },
  'hiber.webhook.WebhookService.Create': { organization: ['PUBLISHERS'] },
  'hiber.webhook.WebhookService.UpdateFilter': { organization: ['PUBLISHERS'] },
  'hiber.webhook.WebhookService.Update': { organization: ['PUBLISHERS'] },
  'hiber.webhook.WebhookService.UpdateWebhooks': { organization: ['PUBLISHERS'] },
  // ORGANIZATION_CREATE under a parent, or user UPDATE with a creation token, which works without any organization.
  'hiber.organization.OrganizationService.Create': { audience: 'caller-in-organization', organization: [], user: [] },
  // No organization in the request: the slugs are the scope, and those that are not accessible are left out.
  'hiber.organization.OrganizationService.GetAvatar': { audience: 'caller' },
  'hiber.organization.OrganizationService.ValidateCreationToken': { audience: 'caller' },
  // Annotated with SIMULATION_MANAGE, which has nothing to do with asking for help: taken for a slip, so every member may.
  // The service refuses SPECIFIC tokens, those with SIMULATION_MANAGE too: it signs in as the person, which no permission
  // that can be listed in a token allows.
  'hiber.sso.SingleSignOnService.Zendesk': { organization: [] },
  // Annotated for any member, while TAGS_MANAGE is defined as the right to create, edit and delete tags.
  'hiber.tag.TagService.Create': { organization: ['TAGS_MANAGE'] },
  'hiber.tag.TagService.Update': { organization: ['TAGS_MANAGE'] },
  'hiber.tag.TagService.Delete': { organization: ['TAGS_MANAGE'] },
  // Owner details need USERS; a token for somebody else needs USERS_MANAGE.
  'hiber.token.TokenService.List': { organization: ['TOKENS'] },
  'hiber.token.TokenService.Create': { organization: ['TOKENS'] },
  // Creating an organization on the way is only one way to transfer.
  'hiber.transfer.TransferService.Transfer': { organization: ['TRANSFERS_SEND'] },
  // Annotated with READ, and the prose says what happens without (contract: CurrentUserService): name and email are left
  // out, roles and permissions are told. The prose decides, or a token could not find out what it may do.
  'hiber.user.CurrentUserService.CurrentUser': { audience: 'caller-in-organization', user: [] },
  'hiber.user.CurrentUserService.OverrideRoles': { audience: 'organization' },
  'hiber.role.RoleService.Restore': { audience: 'caller' },
  // One rpc reads and changes; changing asks for UPDATE.
  'hiber.value.UnitPreferencesService.UnitPreferences': { audience: 'caller', user: ['READ'] },
  // Not annotated at all; a valve is a device.
  'hiber.valve.ValveService.List': { organization: ['MODEMS'] },
  // gRPC's own services. Reflection tells what the public contract says, and health what a load balancer has to know.
  'grpc.health.v1.Health.Check': { audience: 'everyone' },
  'grpc.health.v1.Health.List': { audience: 'everyone' },
  'grpc.health.v1.Health.Watch': { audience: 'everyone' },
  'grpc.reflection.v1.ServerReflection.ServerReflectionInfo': { audience: 'everyone' },
  'grpc.reflection.v1alpha.ServerReflection.ServerReflectionInfo': { audience: 'everyone' },
  // Our own packages, which the contract does not annotate.
  'quarterdeck.server.v1.ServerService.Info': { audience: 'everyone' },
  // Own sign-ins need no more than being signed in; a member's are the service's to weigh.
  'quarterdeck.session.v1.SessionService.List': { audience: 'caller-in-organization', user: ['READ'] },
  'quarterdeck.session.v1.SessionService.Revoke': { audience: 'caller-in-organization' },
  'quarterdeck.session.v1.SessionService.Members': { organization: ['USERS'] },
  'quarterdeck.support.v1.SupportService.BeginVisit': { support: ['CUSTOMER_SUPPORT'] },
  'quarterdeck.support.v1.SupportService.AllowChanges': { support: ['CUSTOMER_SUPPORT'] },
  'quarterdeck.support.v1.SupportService.EndVisit': { support: ['CUSTOMER_SUPPORT'] },
  'quarterdeck.support.v1.SupportService.ListVisits': { organization: ['USERS_MANAGE'] },
  'quarterdeck.support.v1.SupportService.ListCalls': { organization: ['USERS_MANAGE'] },
  'quarterdeck.support.v1.SupportService.IssueCreationToken': { audience: 'caller', support: ['CUSTOMER_SUPPORT'] },
  'quarterdeck.webhook.v1.WebhookDeliveryService.HealthCount': { organization: ['PUBLISHERS'] },
  'quarterdeck.webhook.v1.WebhookDeliveryService.Test': { organization: ['PUBLISHERS'] },
  'quarterdeck.webhook.v1.WebhookDeliveryService.Resend': { organization: ['PUBLISHERS'] },
};

/** Requests of these services are about the caller, and an `organization` in them is what they are about, not a scope. */
const aboutTheCaller: ReadonlySet<string> = new Set(['hiber.user.CurrentUserService']);

/** `package.Service.Method`, the name of an rpc in the tables of this folder. */
export const rpcName = (method: DescMethod): string => `${method.parent.typeName}.${method.name}`;

/**
 * What gates an rpc. An rpc of ours that nobody wrote a line for is refused at start rather than left open.
 *
 * @throws Error when neither the contract nor `overrides` says who may call it
 */
export function policyOf(method: DescMethod): Policy {
  const name = rpcName(method);
  const services: Readonly<Record<string, Readonly<Record<string, RpcAnnotation>>>> = annotations;
  const annotation = services[method.parent.typeName]?.[method.name];
  const override = overrides[name];
  if (annotation === undefined && override === undefined) throw new Error(`No policy says who may call ${name}.`);
  return {
    audience: aboutTheCaller.has(method.parent.typeName) ? 'caller' : 'organization',
    organization: gating(annotation?.organization ?? []),
    user: annotation?.user ?? [],
    support: [],
    ...override,
  };
}

const gating = (listed: readonly OrganizationPermissionName[]): OrganizationPermissionName[] => [
  ...new Set(listed.filter((permission) => permission !== 'PERMISSION_DEFAULT').map(current)),
];

/** The rpcs that `overrides` names, for the test that none of them is misspelt. */
export const overridden: readonly string[] = Object.keys(overrides);

/** The first permission that a call lacks, in the order in which a policy lists them. */
export function lacking(policy: Policy, holds: (permission: PermissionName) => boolean): PermissionName | undefined {
  return [...policy.organization, ...policy.user, ...policy.support].find((permission) => !holds(permission));
}
