/** Events about publishers of any kind. The target determines how they describe the publisher. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Event_PublisherEvent_UpdatedEventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Filter_Events, Filter_Modems, Filter_Tags } from '#proto/gen/hiber/filter_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Publisher } from '#proto/gen/hiber/publisher_pb.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { newEvent } from '#server/events/new-event.ts';
import { presentDuration } from '#server/wire/present.ts';

/** How events describe a publisher. Contains no secrets, because events go to other receivers. */
export interface PublisherSubject {
  readonly organization: string;
  /** The publisher's name in messages, such as `Webhook "Tickets"`. */
  readonly name: string;
  readonly publisher: Publisher;
}

function envelope({ organization, publisher }: PublisherSubject, time: Date) {
  return { organization, time, tags: publisher.tags };
}

function withPublisherId({ publisher }: PublisherSubject, event: NewEvent): NewEvent {
  return { ...event, publisher: Number(publisher.id) };
}

export function publisherCreated(subject: PublisherSubject, time: Date): NewEvent {
  const event = newEvent(
    {
      type: EventType.PUBLISHER_CREATED,
      title: 'Publisher created',
      description: `${subject.name} was created.`,
      ...envelope(subject, time),
    },
    (common) => ({
      case: 'publisherCreated',
      value: { ...common, created: subject.publisher, tags: subject.publisher.tags },
    }),
  );
  return withPublisherId(subject, event);
}

type UpdatedEvent = MessageInitShape<typeof Event_PublisherEvent_UpdatedEventSchema>;

/** The changes in an update. An absent field remains unchanged. */
export interface PublisherChange {
  readonly description?: string;
  readonly eventFilter?: Filter_Events;
  readonly modemFilter?: Filter_Modems;
  readonly tagFilter?: Filter_Tags;
  readonly active?: boolean;
  /** Seconds. */
  readonly healthWarningPeriod?: number;
  /** The fields that only publishers of this kind have. */
  readonly data: Pick<UpdatedEvent, 'partialUpdateData' | 'updatedData'>;
  /** Phrases for the description in their order, such as `URL`, `event filter`, or `disabled`. */
  readonly changed: readonly string[];
}

export function publisherUpdated(subject: PublisherSubject, time: Date, change: PublisherChange): NewEvent {
  const { description, eventFilter, modemFilter, tagFilter, active, data } = change;
  const event = newEvent(
    {
      type: EventType.PUBLISHER_UPDATED,
      title: 'Publisher updated',
      description: `${subject.name} was updated: ${change.changed.join(', ')}.`,
      ...envelope(subject, time),
    },
    (common) => ({
      case: 'publisherUpdated',
      value: {
        tags: subject.publisher.tags,
        deprecatedUpdatedDescription: description === undefined ? undefined : { updated: true, value: description },
        updatedDescription: description,
        deprecatedUpdatedEventFilter: eventFilter && { updated: true, value: eventFilter },
        updatedEventFilter: eventFilter,
        deprecatedUpdatedModemFilter: modemFilter && { updated: true, value: modemFilter },
        updatedModemFilter: modemFilter,
        deprecatedUpdatedTagFilter: tagFilter && { updated: true, value: tagFilter },
        updatedTagFilter: tagFilter,
        deprecatedUpdatedActiveState: active === undefined ? undefined : { updated: true, value: active },
        updatedActiveState: active,
        healthWarningPeriod:
          change.healthWarningPeriod === undefined ? undefined : presentDuration(change.healthWarningPeriod),
        ...data,
        ...common,
      },
    }),
  );
  return withPublisherId(subject, event);
}

export function publisherDeleted(subject: PublisherSubject, time: Date): NewEvent {
  const event = newEvent(
    {
      type: EventType.PUBLISHER_DELETED,
      title: 'Publisher deleted',
      description: `${subject.name} was deleted.`,
      ...envelope(subject, time),
    },
    (common) => ({
      case: 'publisherDeleted',
      value: { ...common, deleted: subject.publisher, tags: subject.publisher.tags },
    }),
  );
  return withPublisherId(subject, event);
}

/** Creates the event for a single failure. The next success resolves it (contract: PUBLISHER_FAILED). */
export function publisherFailed(
  subject: PublisherSubject,
  time: Date,
  reason: string,
  healthLevel: HealthLevel,
): NewEvent {
  const event = newEvent(
    {
      type: EventType.PUBLISHER_FAILED,
      title: 'Publisher failed',
      description: `${subject.name} failed: ${reason}`,
      healthLevel,
      ...envelope(subject, time),
    },
    (common) => ({
      case: 'publisherFailed',
      value: { ...common, reason, failed: subject.publisher, tags: subject.publisher.tags, healthLevel },
    }),
  );
  return withPublisherId(subject, event);
}

export function publisherAutoDisabled(subject: PublisherSubject, time: Date, healthLevel: HealthLevel): NewEvent {
  const event = newEvent(
    {
      type: EventType.PUBLISHER_AUTO_DISABLED,
      title: 'Publisher disabled automatically',
      description: `${subject.name} was disabled because it kept failing for too long.`,
      healthLevel,
      ...envelope(subject, time),
    },
    (common) => ({
      case: 'publisherAutoDisabled',
      value: { ...common, id: subject.publisher.id, tags: subject.publisher.tags, healthLevel },
    }),
  );
  return withPublisherId(subject, event);
}
