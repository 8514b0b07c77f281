/**
 * Events about an organization. Creation and deletion are recorded for the parent, and every other change for the
 * organization itself (contract: EventService).
 */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type {
  Event_OrganizationEvent_EventConfigurationUpdated_MessageSummaryUpdateSchema,
  Event_OrganizationEvent_OrganizationUpdatedEventSchema,
} from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { ModemMessage_Source } from '#proto/gen/hiber/modem_pb.ts';
import type { Organization } from '#proto/gen/hiber/organization_pb.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent } from '#server/events/new-event.ts';
import { presentTimestamp } from '#server/wire/present.ts';

export function organizationCreated(parent: string, created: Organization, time: Date): NewEvent {
  return newEvent(
    {
      organization: parent,
      time,
      type: EventType.ORGANIZATION_CREATED,
      title: 'Organization created',
      description: `Organization "${created.displayName}" (${created.organization}) was created.`,
    },
    ({ title, description, time: timestamp }) => ({
      case: 'organizationCreated',
      value: { title, description, time: timestamp, parentOrganization: parent, created },
    }),
  );
}

export type OrganizationChanges = Omit<
  MessageInitShape<typeof Event_OrganizationEvent_OrganizationUpdatedEventSchema>,
  '$typeName' | 'organization' | 'title' | 'description' | 'time'
>;

/**
 * Creates the event for an update.
 *
 * @param changed the changed fields as phrases for the description, such as `display name` or `contact`
 */
export function organizationUpdated(
  organization: string,
  changes: OrganizationChanges,
  changed: readonly string[],
  time: Date,
): NewEvent {
  return newEvent(
    {
      organization,
      time,
      type: EventType.ORGANIZATION_UPDATED,
      title: 'Organization updated',
      description: `The organization was updated: ${changed.join(', ')}.`,
    },
    (common) => ({ case: 'organizationUpdated', value: { ...changes, ...common } }),
  );
}

export function organizationDeleted(parent: string, deleted: string, time: Date): NewEvent {
  return newEvent(
    {
      organization: parent,
      time,
      type: EventType.ORGANIZATION_DELETED,
      title: 'Organization deleted',
      description: `Organization "${deleted}" was deleted, with everything in it.`,
    },
    ({ title, description, time: timestamp }) => ({
      case: 'organizationDeleted',
      value: { title, description, time: timestamp, parentOrganization: parent, deletedOrganization: deleted },
    }),
  );
}

/**
 * Reports a change to the event configuration, or to the health levels, which have no event type of their own (not
 * specified in the contract). Every member receives this event because every member may list the levels.
 */
export function eventConfigurationUpdated(
  organization: string,
  time: Date,
  change: {
    title: string;
    description: string;
    messageSummaryUpdate?: MessageInitShape<
      typeof Event_OrganizationEvent_EventConfigurationUpdated_MessageSummaryUpdateSchema
    >;
  },
): NewEvent {
  const { title, description, messageSummaryUpdate } = change;
  return newEvent(
    { organization, time, type: EventType.ORGANIZATION_EVENT_CONFIGURATION_UPDATED, title, description },
    (common) => ({ case: 'organizationEventConfigurationUpdated', value: { messageSummaryUpdate, ...common } }),
  );
}

interface MessageCount {
  readonly device: string;
  readonly source: ModemMessage_Source | undefined;
  readonly amount: number;
}

/** Summarizes the messages received per device and source from `start` until just before `end`. */
export function messageSummarized(
  organization: string,
  time: Date,
  { start, end, messageCount }: { start: Date; end: Date; messageCount: MessageCount[] },
): NewEvent {
  const total = messageCount.reduce((sum, { amount }) => sum + amount, 0);
  const devices = new Set(messageCount.map(({ device }) => device)).size;
  const messages = `${total} ${total === 1 ? 'message' : 'messages'}`;
  const timeRange = { start: presentTimestamp(start), end: presentTimestamp(end) };
  return newEvent(
    {
      organization,
      time,
      type: EventType.MESSAGE_SUMMARY,
      title: 'Message summary',
      description: `${messages} from ${devices} ${devices === 1 ? 'device' : 'devices'} between ${timeRange.start.textual} and ${timeRange.end.textual}.`,
    },
    (common) => ({ case: 'messageSummary', value: { messageCount, timeRange, ...common } }),
  );
}
