/** Decides which events a publisher receives. */
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';

import { includeExcludeMatcher } from './include-exclude.ts';
import type { NewEvent } from './new-event.ts';

/** The filters of an event publisher, such as a webhook or email. */
export interface EventFilters {
  readonly eventFilter: IncludeExclude<EventType>;
  readonly deviceFilter: IncludeExclude<string>;
  readonly tagFilter: IncludeExclude<number>;
  readonly healthLevels: readonly string[];
  readonly allLifecycles: boolean;
}

/**
 * Applies the contract's rule (Filter.*) to each filter: an empty include matches everything, and exclude takes
 * precedence over include. A non-empty include for devices, tags, or health levels doesn't match events without any.
 * Events about devices in hidden lifecycles match only if the user who set the filters could see such devices.
 */
export function publisherMatcher(filters: EventFilters): (event: NewEvent) => boolean {
  const types = includeExcludeMatcher(filters.eventFilter);
  const devices = includeExcludeMatcher(filters.deviceFilter);
  const tags = includeExcludeMatcher(filters.tagFilter);
  const levels = new Set(filters.healthLevels);
  return ({ event, hidden }) =>
    (!hidden || filters.allLifecycles) &&
    types([event.type]) &&
    devices(event.device ? [event.device.number] : []) &&
    tags(event.tags.map((tag) => Number(tag.id))) &&
    (levels.size === 0 || (event.healthLevel !== undefined && levels.has(event.healthLevel.level)));
}

/**
 * Returns a stored tag filter in the contract's format. Omits ids beyond the safe range, which were accepted in the
 * past and match no tag.
 */
export const presentTagFilter = ({ include, exclude }: IncludeExclude<number>) => ({
  include: include.filter(Number.isSafeInteger).map(BigInt),
  exclude: exclude.filter(Number.isSafeInteger).map(BigInt),
});
