/** Which events a publisher wants. */
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { keeping } from './include-exclude.ts';
import type { NewEvent } from './new-event.ts';

/** What every publisher of events, webhook or mail, can be limited to. */
export interface EventFilters {
  readonly eventFilter: IncludeExclude<EventType>;
  readonly deviceFilter: IncludeExclude<string>;
  readonly tagFilter: IncludeExclude<number>;
  readonly healthLevels: readonly string[];
  readonly allLifecycles: boolean;
}

/**
 * The rule of contract: Filter.*, part by part: an empty include keeps everything, exclude beats include. A device,
 * tag or health level include drops events that have none. Devices in hidden lifecycles stay hidden unless whoever
 * set the filters saw them.
 */
export function passing(filters: EventFilters): (event: NewEvent) => boolean {
  const types = keeping(filters.eventFilter);
  const devices = keeping(filters.deviceFilter);
  const tags = keeping(filters.tagFilter);
  const levels = new Set(filters.healthLevels);
  return ({ event, hidden }) =>
    (!hidden || filters.allLifecycles) &&
    types([event.type]) &&
    devices(event.device ? [event.device.number] : []) &&
    tags(event.tags.map((tag) => Number(tag.id))) &&
    (levels.size === 0 || (event.healthLevel !== undefined && levels.has(event.healthLevel.level)));
}

/** A stored filter by tag, as answers carry it. Ids beyond the safe range were taken once, and name no tag. */
export const presentTagFilter = ({ include, exclude }: IncludeExclude<number>) => ({
  include: include.filter(Number.isSafeInteger).map(BigInt),
  exclude: exclude.filter(Number.isSafeInteger).map(BigInt),
});
