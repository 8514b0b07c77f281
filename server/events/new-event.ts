import type { MessageInitShape } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Tag } from '#proto/gen/hiber/tag_pb.ts';
import { TagSchema } from '#proto/gen/hiber/tag_pb.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** An event that has happened and is not stored yet. What is selected by is beside it. */
export interface NewEvent {
  readonly organization: string;
  readonly time: Date;
  readonly event: Event;
  /** Id of the publisher the event is about, if it is about one. */
  readonly publisher?: number;
  /** How the event can be resolved, for the types that can be (contract: EventService). */
  readonly resolveIdentifier?: string;
  /** About a device in a lifecycle that customers do not see. */
  readonly hidden?: boolean;
  /** About a device in any other lifecycle than INSTALLED. */
  readonly notInstalled?: boolean;
  /** Born resolved: the event informs and nothing is left to do about it. */
  readonly resolved?: boolean;
}

/** A tag as it is embedded in other objects: without metadata (contract: TagService). */
export interface EventTag {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** 0, as absent, is none (contract: TagService). */
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
  /** Time zone of the event's texts: the device's, or UTC. */
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

/** The default names of the middle and the worst level decide the deprecated flags (contract: Event JSON shape). */
export const WARNING_LEVEL = 'Build up';
export const ERROR_LEVEL = 'Alarm';

export const deprecatedFlags = (level: HealthLevel | undefined) => ({
  isError: level?.level === ERROR_LEVEL,
  isWarning: level?.level === WARNING_LEVEL,
});

/**
 * Builds the envelope and repeats what its detail repeats: title, description and time always, tags and health level
 * where the detail has them. `detail` receives those common members and returns the oneof.
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
  const when = presentTimestamp(time, zone);
  return {
    organization,
    time,
    ...(hidden ? { hidden } : {}),
    ...(notInstalled ? { notInstalled } : {}),
    event: create(EventSchema, {
      type,
      time: when,
      title,
      description,
      tags,
      healthLevel,
      device,
      ...deprecatedFlags(healthLevel),
      event: detail({ organization, title, description, time: when }),
    }),
  };
}

/** The event lasts until it is resolved by that identifier. */
export function resolvable(happened: NewEvent, resolveIdentifier: string): NewEvent {
  happened.event.resolvedStatus = { case: 'resolveIdentifier', value: resolveIdentifier };
  return { ...happened, resolveIdentifier };
}

/** The event informs, and nothing is left to do about it. */
export function bornResolved(happened: NewEvent): NewEvent {
  happened.event.resolvedStatus = { case: 'resolved', value: true };
  return { ...happened, resolved: true };
}
