// The expected rights, written out: the contract's table of permissions with its meaning for each rpc. Nothing here is
// computed from the policies, so a mistake there cannot confirm itself.
import table from './rights.tsv?raw';

export type Effect = 'read' | 'change' | 'own';

export interface ExpectedRights {
  /** `hiber.tag.TagService.Create`. */
  readonly rpc: string;
  /** As the contract annotates them; for our own rpcs, the additional checks of their services. */
  readonly organization: readonly string[];
  readonly user: readonly string[];
  readonly support: readonly string[];
  /** All of these gate the call; further annotations only widen it or guard a field. */
  readonly required: readonly string[];
  /**
   * `organization`: requires access to the named or default organization; `caller-in-organization`: likewise, but also
   * works without any organization; `caller`: about oneself in any organization; `everyone`: signed in or not.
   */
  readonly audience: 'organization' | 'caller-in-organization' | 'caller' | 'everyone';
  /** The effect of an empty request on the organization; read-only support sessions refuse changes. */
  readonly effect: Effect;
}

const words = (cell: string | undefined): string[] => (cell ?? '').split(' ').filter(Boolean);

export const expectedRights: readonly ExpectedRights[] = table
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [rpc = '', organization, user, support, required, where, effect] = line.split('\t');
    return {
      rpc,
      organization: words(organization),
      user: words(user),
      support: words(support),
      required: words(required),
      audience: where as ExpectedRights['audience'],
      effect: effect as Effect,
    };
  });

const EACH_SIDE = 'Each side of the assignment requires its own permission, which depends on the assigned items.';
const DETAILS = 'Details of alarms and parsers are asked for by flags, each with a permission of its own.';
const PROCESS_POINTS = 'Reads need MODEMS; PROCESS_POINTS only fills the process points.';
const OWN_MAILS =
  "PUBLISHERS is for the preferences of others. One's own are own settings: READ to see, UPDATE to change them.";
const EVENT_TYPES = 'Event types that the caller may not see are left out.';
const PUBLISHERS = 'Needs PUBLISHERS; the permission of each kind of event is weighed by the service.';
const VALUES = 'Follows the owner: PROCESS_POINTS_VALUES for process points, MODEM_VALUES for devices.';
const TAGS = 'Annotated for any member, yet TAGS_MANAGE is the right to create, edit and delete tags.';

/**
 * Reasons why fewer or other permissions gate an rpc than all organization and user permissions of its annotation. From
 * the contract's notes on each rpc.
 */
export const reasons: Readonly<Record<string, string>> = {
  'hiber.assign.AssignmentService.Assign': EACH_SIDE,
  'hiber.assign.AssignmentService.Unassign': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.Delete': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.ProcessPointAssignments': DETAILS,
  'hiber.assign.AssignmentService.ModemAssignments': DETAILS,
  'hiber.assign.AssignmentService.TagAssignments': DETAILS,
  'hiber.assign.AssignmentService.AlarmAssignments': DETAILS,
  'hiber.assign.AssignmentService.ModemMessageBodyParserAssignments': DETAILS,
  'hiber.modem.alarm.ModemAlarmService.Assign': 'MODEMS for devices, PROCESS_POINTS for points.',
  'hiber.modem.ModemService.Get': PROCESS_POINTS,
  'hiber.modem.ModemService.List': PROCESS_POINTS,
  'hiber.modem.ModemService.Grouped': PROCESS_POINTS,
  'hiber.device.note.DeviceNoteService.List': PROCESS_POINTS,
  'hiber.device.DeviceService.Update': 'Files need MODEMS_UPDATE_FILES.',
  'hiber.email.EmailNotificationPreferencesService.View': OWN_MAILS,
  'hiber.email.EmailNotificationPreferencesService.Update': OWN_MAILS,
  'hiber.email.EmailNotificationPreferencesService.Delete': OWN_MAILS,
  'hiber.event.EventService.List': EVENT_TYPES,
  'hiber.event.EventService.Stream': EVENT_TYPES,
  'hiber.event.EventService.History': EVENT_TYPES,
  'hiber.event.EventService.ModemHealth': 'A read of devices; the rest is about events, which are left out.',
  'hiber.export.ExportService.Create': 'MODEM_MESSAGES or PROCESS_POINTS_VALUES by content.',
  'hiber.export.ExportService.AvailableFields': 'Any member for process points; MODEM_MESSAGES for messages.',
  'hiber.value.ValueService.List': VALUES,
  'hiber.value.ValueService.Downsampled': VALUES,
  'hiber.value.ValueService.Latest': VALUES,
  'hiber.file.FileService.Delete': 'Of all rpcs that list a support permission, the only one that it is for.',
  'hiber.integration.mqtt.MQTTService.Create': PUBLISHERS,
  'hiber.integration.mqtt.MQTTService.Update': PUBLISHERS,
  'hiber.integration.slack.SlackIntegrationService.Create': PUBLISHERS,
  'hiber.integration.slack.SlackIntegrationService.Update': PUBLISHERS,
  'hiber.webhook.WebhookService.Create': PUBLISHERS,
  'hiber.webhook.WebhookService.UpdateFilter': PUBLISHERS,
  'hiber.webhook.WebhookService.Update': PUBLISHERS,
  'hiber.webhook.WebhookService.UpdateWebhooks': PUBLISHERS,
  'hiber.organization.OrganizationService.Create':
    'Under a parent ORGANIZATION_CREATE, with a creation token only user UPDATE, without any organization.',
  'hiber.sso.SingleSignOnService.Zendesk': 'Annotated with SIMULATION_MANAGE, taken for a slip.',
  'hiber.tag.TagService.Create': TAGS,
  'hiber.tag.TagService.Update': TAGS,
  'hiber.tag.TagService.Delete': TAGS,
  'hiber.token.TokenService.List': 'Owner details need USERS.',
  'hiber.token.TokenService.Create': 'USERS_MANAGE is for a token of another user.',
  'hiber.transfer.TransferService.Transfer': 'ORGANIZATION_CREATE is for making the recipient on the way.',
  'hiber.user.CurrentUserService.CurrentUser': 'Without READ, email and name are left out.',
  'hiber.value.UnitPreferencesService.UnitPreferences': 'An empty request reads; any change needs UPDATE.',
  'hiber.valve.ValveService.List': 'Not annotated; a valve is a device.',
};

/** Deprecated duplicates and their replacements. Nobody holds one. */
export const replaced: Readonly<Record<string, string>> = {
  ASSETS: 'PROCESS_POINTS',
  ASSETS_UPDATE: 'PROCESS_POINTS_UPDATE',
  ASSETS_VALUES: 'PROCESS_POINTS_VALUES',
};
