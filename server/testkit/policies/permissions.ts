// The expected permissions, from the contract's table of permissions and its notes on each rpc. They are listed
// explicitly instead of computed from the policies, so tests against this table find mistakes in the policies.
import table from './permissions.tsv?raw';

export type Effect = 'read' | 'change' | 'own';

export interface ExpectedPermissions {
  /** The full name, such as `hiber.tag.TagService.Create`. */
  readonly rpc: string;
  /** The permissions that the contract annotates; for our own rpcs, the additional checks of their services. */
  readonly organization: readonly string[];
  readonly user: readonly string[];
  readonly support: readonly string[];
  /** The permissions that the call requires. Further annotations only extend the call or protect a field. */
  readonly required: readonly string[];
  /**
   * The callers of the rpc. `organization` requires access to the named or default organization, and
   * `caller-in-organization` also works without any organization. `caller` concerns the caller in any organization.
   * `everyone` includes callers who are not signed in.
   */
  readonly audience: 'organization' | 'caller-in-organization' | 'caller' | 'everyone';
  /** The effect of an empty request on the organization. Read-only support sessions deny changes. */
  readonly effect: Effect;
}

const splitNames = (cell: string | undefined): string[] => (cell ?? '').split(' ').filter(Boolean);

export const expectedPermissions: readonly ExpectedPermissions[] = table
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [rpc = '', organization, user, support, required, audience, effect] = line.split('\t');
    return {
      rpc,
      organization: splitNames(organization),
      user: splitNames(user),
      support: splitNames(support),
      required: splitNames(required),
      audience: audience as ExpectedPermissions['audience'],
      effect: effect as Effect,
    };
  });

const EACH_SIDE = 'Each side of the assignment requires its own permission, which depends on the assigned items.';
const DETAILS = 'Flags request details of alarms and parsers; each flag requires its own permission.';
const PROCESS_POINTS = "Reads require MODEMS; PROCESS_POINTS only adds a device's process points.";
const OWN_EMAILS =
  'PUBLISHERS is for the preferences of other users. Callers see their own with READ, and change them with UPDATE.';
const EVENT_TYPES = 'Omits event types that the caller may not see.';
const PUBLISHERS = 'Requires PUBLISHERS; the service checks the permission for each kind of event.';
const VALUES = 'Depends on the owner of the value: PROCESS_POINTS_VALUES for process points, MODEM_VALUES for devices.';
const TAGS = 'Annotated for any member, but TAGS_MANAGE is the permission to create, edit, and delete tags.';

/**
 * Why the permissions that an rpc requires differ from the organization and user permissions in its annotation, from
 * the contract's notes on each rpc.
 */
export const reasons: Readonly<Record<string, string>> = {
  'hiber.assign.AssignmentService.Assign': EACH_SIDE,
  'hiber.assign.AssignmentService.Unassign': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.Delete': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.ProcessPointAssignments': DETAILS,
  'hiber.assign.AssignmentService.ModemAssignments': DETAILS,
  'hiber.assign.AssignmentService.TagAssignments': DETAILS,
  'hiber.modem.alarm.ModemAlarmService.Assign': 'Requires MODEMS for devices, and PROCESS_POINTS for points.',
  'hiber.modem.ModemService.Get': PROCESS_POINTS,
  'hiber.modem.ModemService.List': PROCESS_POINTS,
  'hiber.modem.ModemService.Grouped': PROCESS_POINTS,
  'hiber.device.note.DeviceNoteService.List': PROCESS_POINTS,
  'hiber.device.DeviceService.Update': 'Files require MODEMS_UPDATE_FILES.',
  'hiber.email.EmailNotificationPreferencesService.View': OWN_EMAILS,
  'hiber.email.EmailNotificationPreferencesService.Update': OWN_EMAILS,
  'hiber.email.EmailNotificationPreferencesService.Delete': OWN_EMAILS,
  'hiber.event.EventService.List': EVENT_TYPES,
  'hiber.event.EventService.Stream': EVENT_TYPES,
  'hiber.event.EventService.History': EVENT_TYPES,
  'hiber.event.EventService.ModemHealth': 'Reads devices. The other permissions are for events, which it omits.',
  'hiber.export.ExportService.Create': 'Requires MODEM_MESSAGES or PROCESS_POINTS_VALUES, depending on the content.',
  'hiber.export.ExportService.AvailableFields':
    'Any member can read the fields of process points. Messages require MODEM_MESSAGES.',
  'hiber.value.ValueService.List': VALUES,
  'hiber.value.ValueService.Downsampled': VALUES,
  'hiber.value.ValueService.Latest': VALUES,
  'hiber.file.FileService.Delete': 'This is the only rpc that requires the support permission in its annotation.',
  'hiber.integration.mqtt.MQTTService.Create': PUBLISHERS,
  'hiber.integration.mqtt.MQTTService.Update': PUBLISHERS,
  'hiber.integration.slack.SlackIntegrationService.Create': PUBLISHERS,
  'hiber.integration.slack.SlackIntegrationService.Update': PUBLISHERS,
  'hiber.webhook.WebhookService.Create': PUBLISHERS,
  'hiber.webhook.WebhookService.UpdateFilter': PUBLISHERS,
  'hiber.webhook.WebhookService.Update': PUBLISHERS,
  'hiber.webhook.WebhookService.UpdateWebhooks': PUBLISHERS,
  'hiber.organization.OrganizationService.Create':
    'Requires ORGANIZATION_CREATE in the parent. With a creation token, it requires only UPDATE, and no organization.',
  'hiber.sso.SingleSignOnService.Zendesk': 'Annotated with SIMULATION_MANAGE, which we consider a mistake.',
  'hiber.tag.TagService.Create': TAGS,
  'hiber.tag.TagService.Update': TAGS,
  'hiber.tag.TagService.Delete': TAGS,
  'hiber.token.TokenService.List': 'Owner details require USERS.',
  'hiber.token.TokenService.Create': 'USERS_MANAGE is for creating a token for someone else.',
  'hiber.transfer.TransferService.Transfer': 'ORGANIZATION_CREATE is for creating the receiving organization as well.',
  'hiber.user.CurrentUserService.CurrentUser': 'Without READ, email and name are omitted.',
  'hiber.value.UnitPreferencesService.UnitPreferences': 'An empty request only reads. Any change requires UPDATE.',
  'hiber.valve.ValveService.List': 'Not annotated, but a valve is a device.',
};

/** Deprecated permissions, which nobody holds, and their replacements. */
export const replacements: Readonly<Record<string, string>> = {
  ASSETS: 'PROCESS_POINTS',
  ASSETS_UPDATE: 'PROCESS_POINTS_UPDATE',
  ASSETS_VALUES: 'PROCESS_POINTS_VALUES',
};
