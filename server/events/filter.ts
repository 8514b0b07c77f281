/** Which events somebody asks for: the same rule as SQL, for lists, and as a predicate, for streams. */
import { and, eq, gte, inArray, isNotNull, isNull, lte, not, or, sql, type SQL } from 'drizzle-orm';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { hiddenLifecycles, isHidden } from '#server/wire/lifecycles.ts';
import { keeping } from './include-exclude.ts';
import type { StoredEvent } from './stored.ts';

export interface EventFilter {
  /** Types that are asked for and may be seen. */
  readonly types: readonly number[];
  /** Device numbers. */
  readonly devices: IncludeExclude<string>;
  /** Publisher ids; `include` undefined: all, and events about none. */
  readonly publishers: { include: number[] | undefined; exclude: number[] };
  /** Tag ids that the event carries. */
  readonly tags: IncludeExclude<number>;
  readonly healthLevels: readonly string[];
  /** Deprecated, besides `healthLevels`: events that have exactly this level. */
  readonly onlyLevel: string | undefined;
  readonly start: Date | undefined;
  readonly end: Date | undefined;
  readonly includeResolved: boolean;
  /** Also events of devices in lifecycles that customers do not see. */
  readonly allLifecycles: boolean;
  /** Only events that affect the health of a device. */
  readonly onlyDeviceHealth?: boolean;
}

const among = (column: SQL, values: readonly (string | number)[], type: string): SQL =>
  sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`;

export function eventWhere(organization: string, filter: EventFilter): SQL | undefined {
  const { devices, publishers, tags, healthLevels, start, end } = filter;
  const number = sql`${event.number}`;
  const publisher = sql`${event.publisher}`;
  const tagged = (ids: readonly number[]) => sql`${event.tags} && ${sql.param([...ids])}::bigint[]`;
  return and(
    eq(event.organization, organization),
    inArray(event.type, [...filter.types]),
    start && gte(event.time, start),
    end && lte(event.time, end),
    devices.include.length > 0 ? among(number, devices.include, 'text') : undefined,
    devices.exclude.length > 0 ? or(isNull(event.number), not(among(number, devices.exclude, 'text'))) : undefined,
    publishers.include && among(publisher, publishers.include, 'bigint'),
    publishers.exclude.length > 0
      ? or(isNull(event.publisher), not(among(publisher, publishers.exclude, 'bigint')))
      : undefined,
    tags.include.length > 0 ? tagged(tags.include) : undefined,
    tags.exclude.length > 0 ? not(tagged(tags.exclude)) : undefined,
    healthLevels.length > 0 ? among(sql`${event.healthLevel}`, healthLevels, 'text') : undefined,
    filter.onlyDeviceHealth ? and(isNotNull(event.healthLevel), isNotNull(event.number)) : undefined,
    filter.onlyLevel === undefined ? undefined : eq(event.healthLevel, filter.onlyLevel),
    filter.includeResolved ? undefined : isNull(event.resolvedAt),
    filter.allLifecycles
      ? undefined
      : sql`not exists (select 1 from ${device} hidden where hidden.organization = ${event.organization}
          and hidden.number = ${event.number} and hidden.lifecycle in ${[...hiddenLifecycles]})`,
  );
}

/**
 * What `eventWhere` selects, but for time, which means nothing for an event that just happened. Nor does being born
 * resolved; but one that passes again because somebody resolved it is for those who ask for resolved events.
 */
export function eventMatcher(filter: EventFilter): (stored: StoredEvent) => boolean {
  const types = new Set(filter.types);
  const levels = new Set(filter.healthLevels);
  const devices = keeping(filter.devices);
  const tags = keeping(filter.tags);
  const { include, exclude } = filter.publishers;
  const publishers = keeping({ include: include ?? [], exclude });
  return ({ type, number, publisher, tags: tagged, healthLevel, lifecycle, time, resolvedAt }) =>
    types.has(type) &&
    (filter.includeResolved || resolvedAt === null || resolvedAt <= time) &&
    (filter.allLifecycles || lifecycle === null || !isHidden(lifecycle)) &&
    (levels.size === 0 || (healthLevel !== null && levels.has(healthLevel))) &&
    (filter.onlyLevel === undefined || healthLevel === filter.onlyLevel) &&
    devices(number === null ? [] : [number]) &&
    tags(tagged) &&
    // No active publisher at all is an include of nothing, and not of everything.
    include?.length !== 0 &&
    publishers(publisher === null ? [] : [publisher]);
}
