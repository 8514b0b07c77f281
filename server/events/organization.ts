/** Events about an organization: of a child they go to its parent, of its data to itself (contract: EventService). */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Event_OrganizationEvent_OrganizationUpdatedEventSchema } from '#proto/hiber/event_pb';
import { EventType } from '#proto/hiber/event_type_pb';
import type { Organization } from '#proto/hiber/organization_pb';
import type { NewEvent } from './new-event.ts';
import { newEvent } from './new-event.ts';

export function organizationCreated(parent: string, created: Organization, time: Date): NewEvent {
  return newEvent(
    {
      organization: parent,
      time,
      type: EventType.ORGANIZATION_CREATED,
      title: 'Organization created',
      description: `Organization "${created.displayName}" (${created.organization}) was created.`,
    },
    ({ title, description, time: when }) => ({
      case: 'organizationCreated',
      value: { title, description, time: when, parentOrganization: parent, created },
    }),
  );
}

export type OrganizationChanges = Omit<
  MessageInitShape<typeof Event_OrganizationEvent_OrganizationUpdatedEventSchema>,
  '$typeName' | 'organization' | 'title' | 'description' | 'time'
>;

/** @param changed words for the description: `display name`, `contact` */
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
      description: `Changed of the organization: ${changed.join(', ')}.`,
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
    ({ title, description, time: when }) => ({
      case: 'organizationDeleted',
      value: { title, description, time: when, parentOrganization: parent, deletedOrganization: deleted },
    }),
  );
}
