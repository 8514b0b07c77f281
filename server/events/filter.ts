/** Filters events: in SQL for lists, and with a predicate for streams. */
import { and, eq, gte, inArray, isNotNull, isNull, lte, not, or, sql, type SQL } from 'drizzle-orm';

import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { hiddenLifecycles, isHidden } from '#server/wire/lifecycles.ts';

import { includeExcludeMatcher } from './include-exclude.ts';
import type { StoredEvent } from './stored.ts';

export interface EventFilter {
  /** The types that are both selected and visible. */
  readonly types: readonly number[];
  /** Device numbers. */
  readonly devices: IncludeExclude<string>;
  /** Publisher ids. If `include` is undefined, the filter matches events about any publisher or about none. */
  readonly publishers: { include: number[] | undefined; exclude: number[] };
  /** The tag ids on the event. */
  readonly tags: IncludeExclude<number>;
  readonly healthLevels: readonly string[];
  /** Deprecated. Matches only events with exactly this level, in addition to the condition of `healthLevels`. */
  readonly onlyLevel: string | undefined;
  readonly start: Date | undefined;
  readonly end: Date | undefined;
  readonly includeResolved: boolean;
  /** Includes events about devices in a lifecycle that is hidden from customers. */
  readonly allLifecycles: boolean;
  /** Matches only events that affect the health of a device. */
  readonly affectsDeviceHealth?: boolean;
}

const isOneOf = (column: SQL, values: readonly (string | number)[], type: string): SQL =>
  sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`;

export function eventWhere(organization: string, filter: EventFilter): SQL | undefined {
  const { devices, publishers, tags, healthLevels, start, end } = filter;
  const number = sql`${event.number}`;
  const publisher = sql`${event.publisher}`;
  const hasTag = (ids: readonly number[]) => sql`${event.tags} && ${sql.param([...ids])}::bigint[]`;
  return and(
    eq(event.organization, organization),
    inArray(event.type, [...filter.types]),
    start && gte(event.time, start),
    end && lte(event.time, end),
    devices.include.length > 0 ? isOneOf(number, devices.include, 'text') : undefined,
    devices.exclude.length > 0 ? or(isNull(event.number), not(isOneOf(number, devices.exclude, 'text'))) : undefined,
    publishers.include && isOneOf(publisher, publishers.include, 'bigint'),
    publishers.exclude.length > 0
      ? or(isNull(event.publisher), not(isOneOf(publisher, publishers.exclude, 'bigint')))
      : undefined,
    tags.include.length > 0 ? hasTag(tags.include) : undefined,
    tags.exclude.length > 0 ? not(hasTag(tags.exclude)) : undefined,
    healthLevels.length > 0 ? isOneOf(sql`${event.healthLevel}`, healthLevels, 'text') : undefined,
    filter.affectsDeviceHealth ? and(isNotNull(event.healthLevel), isNotNull(event.number)) : undefined,
    filter.onlyLevel === undefined ? undefined : eq(event.healthLevel, filter.onlyLevel),
    filter.includeResolved ? undefined : isNull(event.resolvedAt),
    filter.allLifecycles
      ? undefined
      : sql`not exists (select 1 from ${device} hidden where hidden.organization = ${event.organization}
          and hidden.number = ${event.number} and hidden.lifecycle in ${[...hiddenLifecycles]})`,
  );
}

/**
 * Matches the same events as `eventWhere`, but ignores the time range: a streamed event has just happened. An event
 * that was created as resolved counts as unresolved here. An event that is streamed again because someone resolved it
 * counts as resolved.
 */
export function eventMatcher(filter: EventFilter): (stored: StoredEvent) => boolean {
  const types = new Set(filter.types);
  const levels = new Set(filter.healthLevels);
  const matchesDevices = includeExcludeMatcher(filter.devices);
  const matchesTags = includeExcludeMatcher(filter.tags);
  const { include, exclude } = filter.publishers;
  const matchesPublishers = includeExcludeMatcher({ include: include ?? [], exclude });
  return ({ type, number, publisher, tags, healthLevel, lifecycle, time, resolvedAt }) =>
    types.has(type) &&
    (filter.includeResolved || resolvedAt === null || resolvedAt <= time) &&
    (filter.allLifecycles || lifecycle === null || !isHidden(lifecycle)) &&
    (levels.size === 0 || (healthLevel !== null && levels.has(healthLevel))) &&
    (filter.onlyLevel === undefined || healthLevel === filter.onlyLevel) &&
    matchesDevices(number === null ? [] : [number]) &&
    matchesTags(tags) &&
    // An empty `include`, for example because no publisher is active, matches nothing instead of everything.
    include?.length !== 0 &&
    matchesPublishers(publisher === null ? [] : [publisher]);
}
