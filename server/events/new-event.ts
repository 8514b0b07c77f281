import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { TagSchema } from '#proto/gen/hiber/tag_pb.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** An event that has happened but is not stored yet, with the columns that queries filter by. */
export interface NewEvent {
  readonly organization: string;
  readonly time: Date;
  readonly event: Event;
  /** The id of the publisher that the event is about, if any. */
  readonly publisher?: number;
  /** The identifier for resolving the event, if its type can be resolved (contract: EventService). */
  readonly resolveIdentifier?: string;
  /** True if the event is about a device in a lifecycle hidden from customers. */
  readonly hidden?: boolean;
  /** True if the event is about a device in any lifecycle other than INSTALLED. */
  readonly notInstalled?: boolean;
  /** True if the event is resolved from the start because it requires no action. */
  readonly resolved?: boolean;
}

/** A tag without its metadata, as embedded in other objects (contract: TagService). */
export interface EventTag {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** 0 and undefined both mean no priority (contract: TagService). */
  readonly priority?: number;
}

export function presentTags(tags: readonly EventTag[]): Tag[] {
  return tags.map(({ id, name, type, priority }) =>
    create(TagSchema, { id: BigInt(id), label: { name, type }, priority: priority || undefined }),
  );
}

interface Envelope {
  readonly organization: string;
  readonly type: EventType;
  readonly time: Date;
  /** The time zone of formatted times in the event: the device's, or UTC. */
  readonly zone?: string;
  readonly title: string;
  readonly description: string;
  readonly tags?: Tag[];
  readonly healthLevel?: HealthLevel;
  readonly device?: MessageInitShape<typeof EventSchema>['device'];
  readonly hidden?: boolean;
  readonly notInstalled?: boolean;
}

type Detail = MessageInitShape<typeof EventSchema>['event'];

/** The default name of the middle level, which sets the deprecated `is_warning` (contract: Event JSON shape). */
export const WARNING_LEVEL = 'Build up';
/** The default name of the worst level, which sets the deprecated `is_error` (contract: Event JSON shape). */
export const ERROR_LEVEL = 'Alarm';

export const deprecatedFlags = (level: HealthLevel | undefined) => ({
  isError: level?.level === ERROR_LEVEL,
  isWarning: level?.level === WARNING_LEVEL,
});

/**
 * Builds an event. `detail` receives the fields that every detail repeats, and returns the detail. Only some details
 * have fields for tags and the health level, so each of those repeats them itself.
 *
 * Event literals end with a spread instead of starting with one: Node 20 adds properties so slowly to a literal that
 * starts with a spread that building an event took three times as long.
 */
export function newEvent(
  envelope: Envelope,
  detail: (common: {
    organization: string;
    title: string;
    description: string;
    time: ReturnType<typeof presentTimestamp>;
  }) => Detail,
): NewEvent {
  const { organization, type, time, zone, title, description, tags = [], healthLevel, device } = envelope;
  const { hidden, notInstalled } = envelope;
  const presentedTime = presentTimestamp(time, zone);
  return {
    organization,
    time,
    event: create(EventSchema, {
      type,
      time: presentedTime,
      title,
      description,
      tags,
      healthLevel,
      device,
      event: detail({ organization, title, description, time: presentedTime }),
      ...deprecatedFlags(healthLevel),
    }),
    ...(hidden ? { hidden } : {}),
    ...(notInstalled ? { notInstalled } : {}),
  };
}

/** Marks the event as lasting until resolved by the given identifier. */
export function markResolvable(event: NewEvent, resolveIdentifier: string): NewEvent {
  event.event.resolvedStatus = { case: 'resolveIdentifier', value: resolveIdentifier };
  return { ...event, resolveIdentifier };
}

/** Marks the event as resolved from the start because it requires no action. */
export function markResolved(event: NewEvent): NewEvent {
  event.event.resolvedStatus = { case: 'resolved', value: true };
  return { ...event, resolved: true };
}
