// Who may call what, written out: the contract's table of permissions with what it means for each rpc. Nothing here is
// computed from the policies, so a mistake there cannot agree with itself.
import table from './rights.tsv?raw';

export type Effect = 'read' | 'change' | 'own';

export interface ExpectedRights {
  /** `hiber.tag.TagService.Create`. */
  rpc: string;
  /** As the contract annotates them; of our own rpcs, what their services ask for besides. */
  organization: readonly string[];
  user: readonly string[];
  support: readonly string[];
  /** All of these gate the call; what is annotated besides only widens it or guards a field. */
  mustHold: readonly string[];
  /**
   * `organization`: with access to the organization named, or to the default one; `caller-in-organization`: likewise, and
   * without any organization too; `caller`: about oneself wherever one acts; `everyone`: signed in or not.
   */
  where: 'organization' | 'caller-in-organization' | 'caller' | 'everyone';
  /** To the organization, by a request without content: support staff who only read may not change. */
  effect: Effect;
}

const words = (cell: string | undefined): string[] => (cell ?? '').split(' ').filter(Boolean);

export const expectedRights: readonly ExpectedRights[] = table
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [rpc = '', organization, user, support, mustHold, where, effect] = line.split('\t');
    return {
      rpc,
      organization: words(organization),
      user: words(user),
      support: words(support),
      mustHold: words(mustHold),
      where: where as ExpectedRights['where'],
      effect: effect as Effect,
    };
  });

const eachSide = 'Each side of the assignment asks for its own permission, which depends on what is assigned.';
const details = 'Details of alarms and parsers are asked for by flags, each with a permission of its own.';
const processPoints = 'Reads need MODEMS; PROCESS_POINTS only fills the process points.';
const ownMails =
  "PUBLISHERS is for the preferences of others. One's own are own settings: READ to see, UPDATE to change them.";
const eventTypes = 'Event types that the caller may not see are left out.';
const publishers = 'Needs PUBLISHERS; the permission of each kind of event is weighed by the service.';
const values = 'Follows the owner: PROCESS_POINTS_VALUES for process points, MODEM_VALUES for devices.';
const tags = 'Annotated for any member, yet TAGS_MANAGE is the right to create, edit and delete tags.';

/**
 * Why less, or something else, gates an rpc than all organization and user permissions that it is annotated with. From
 * the contract's notes on each rpc.
 */
export const reasons: Readonly<Record<string, string>> = {
  'hiber.assign.AssignmentService.Assign': eachSide,
  'hiber.assign.AssignmentService.Unassign': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.Delete': 'MODEMS_MESSAGE_BODY_PARSERS is for parsers.',
  'hiber.assign.AssignmentService.ProcessPointAssignments': details,
  'hiber.assign.AssignmentService.ModemAssignments': details,
  'hiber.assign.AssignmentService.TagAssignments': details,
  'hiber.assign.AssignmentService.AlarmAssignments': details,
  'hiber.assign.AssignmentService.ModemMessageBodyParserAssignments': details,
  'hiber.modem.alarm.ModemAlarmService.Assign': 'MODEMS for devices, PROCESS_POINTS for points.',
  'hiber.modem.ModemService.Get': processPoints,
  'hiber.modem.ModemService.List': processPoints,
  'hiber.modem.ModemService.Grouped': processPoints,
  'hiber.device.note.DeviceNoteService.List': processPoints,
  'hiber.device.DeviceService.Update': 'Files need MODEMS_UPDATE_FILES.',
  'hiber.email.EmailNotificationPreferencesService.View': ownMails,
  'hiber.email.EmailNotificationPreferencesService.Update': ownMails,
  'hiber.email.EmailNotificationPreferencesService.Delete': ownMails,
  'hiber.event.EventService.List': eventTypes,
  'hiber.event.EventService.Stream': eventTypes,
  'hiber.event.EventService.History': eventTypes,
  'hiber.event.EventService.ModemHealth': 'A read of devices; the rest is about events, which are left out.',
  'hiber.export.ExportService.Create': 'MODEM_MESSAGES or PROCESS_POINTS_VALUES by content.',
  'hiber.export.ExportService.AvailableFields': 'Any member for process points; MODEM_MESSAGES for messages.',
  'hiber.value.ValueService.List': values,
  'hiber.value.ValueService.Downsampled': values,
  'hiber.value.ValueService.Latest': values,
  'hiber.file.FileService.Delete': 'Of all rpcs that list a support permission, the only one that it is for.',
  'hiber.integration.mqtt.MQTTService.Create': publishers,
  'hiber.integration.mqtt.MQTTService.Update': publishers,
  'hiber.integration.slack.SlackIntegrationService.Create': publishers,
  'hiber.integration.slack.SlackIntegrationService.Update': publishers,
  'hiber.webhook.WebhookService.Create': publishers,
  'hiber.webhook.WebhookService.UpdateFilter': publishers,
  'hiber.webhook.WebhookService.Update': publishers,
  'hiber.webhook.WebhookService.UpdateWebhooks': publishers,
  'hiber.organization.OrganizationService.Create':
    'Under a parent ORGANIZATION_CREATE, with a creation token only user UPDATE, without any organization.',
  'hiber.sso.SingleSignOnService.Zendesk': 'Annotated with SIMULATION_MANAGE, taken for a slip.',
  'hiber.tag.TagService.Create': tags,
  'hiber.tag.TagService.Update': tags,
  'hiber.tag.TagService.Delete': tags,
  'hiber.token.TokenService.List': 'Owner details need USERS.',
  'hiber.token.TokenService.Create': 'USERS_MANAGE is for a token of another user.',
  'hiber.transfer.TransferService.Transfer': 'ORGANIZATION_CREATE is for making the recipient on the way.',
  'hiber.user.CurrentUserService.CurrentUser': 'Without READ, email and name are left out.',
  'hiber.value.UnitPreferencesService.UnitPreferences': 'An empty request reads; any change needs UPDATE.',
  'hiber.valve.ValveService.List': 'Not annotated; a valve is a device.',
};

/** Deprecated duplicates and what replaced them. Nobody holds one. */
export const replaced: Readonly<Record<string, string>> = {
  ASSETS: 'PROCESS_POINTS',
  ASSETS_UPDATE: 'PROCESS_POINTS_UPDATE',
  ASSETS_VALUES: 'PROCESS_POINTS_VALUES',
};
