/** Events about a process point. */
import type { MessageInitShape } from '@bufbuild/protobuf';

import type { Event_ProcessPointEvent_ProcessPointUpdatedEvent_UpdateSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { ProcessPoint } from '#proto/gen/hiber/process_point_pb.ts';
import { type NewEvent, newEvent } from '#server/events/new-event.ts';

export function pointCreated(processPoint: ProcessPoint, time: Date): NewEvent {
  const { organization, identifier, name, tags } = processPoint;
  return newEvent(
    {
      organization,
      time,
      tags,
      type: EventType.PROCESS_POINT_CREATED,
      title: 'Process point created',
      description: `Process point "${name}" was created.`,
    },
    (common) => ({
      case: 'processPointCreated',
      value: { tags, processPoint, processPointIdentifier: identifier, ...common },
    }),
  );
}

/** The changes in an update. Absent means unchanged. */
export interface PointChange {
  readonly updated: MessageInitShape<typeof Event_ProcessPointEvent_ProcessPointUpdatedEvent_UpdateSchema>;
  /** Phrases for the description: `name`, `location`, `files`. */
  readonly changed: readonly string[];
}

export function pointUpdated(
  { organization, identifier, name, tags }: ProcessPoint,
  time: Date,
  { updated, changed }: PointChange,
): NewEvent {
  return newEvent(
    {
      organization,
      time,
      tags,
      type: EventType.PROCESS_POINT_UPDATED,
      title: 'Process point updated',
      description: `Process point "${name}" was updated: ${changed.join(', ')}.`,
    },
    (common) => ({
      case: 'processPointUpdated',
      value: { tags, updated, processPointIdentifier: identifier, ...common },
    }),
  );
}

export function pointDeleted({ organization, identifier, name, tags }: ProcessPoint, time: Date): NewEvent {
  return newEvent(
    {
      organization,
      time,
      tags,
      type: EventType.PROCESS_POINT_DELETED,
      title: 'Process point deleted',
      description: `Process point "${name}" was deleted.`,
    },
    (common) => ({ case: 'processPointDeleted', value: { tags, deleted: identifier, ...common } }),
  );
}
