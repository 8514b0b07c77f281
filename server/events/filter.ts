/** Which events somebody asks for: the same rule as SQL, for lists, and as a predicate, for streams. */
import { and, eq, gte, inArray, isNull, lte, not, or, sql, type SQL } from 'drizzle-orm';
import { device } from '#server/db/schema/device';
import { event } from '#server/db/schema/event';
import type { IncludeExclude } from '#server/db/schema/webhook';
import { hiddenLifecycles, isHidden } from '#server/services/shared/lifecycles';
import type { StoredEvent } from './stored.ts';

export interface EventFilter {
  /** Types that are asked for and may be seen. */
  types: readonly number[];
  /** Device numbers. */
  devices: IncludeExclude<string>;
  /** Publisher ids; `include` undefined: all, and events about none. */
  publishers: { include: readonly number[] | undefined; exclude: readonly number[] };
  /** Tag ids that the event carries. */
  tags: IncludeExclude<number>;
  healthLevels: readonly string[];
  start: Date | undefined;
  end: Date | undefined;
  includeResolved: boolean;
  /** Also events of devices in lifecycles that customers do not see. */
  allLifecycles: boolean;
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
    filter.includeResolved ? undefined : isNull(event.resolvedAt),
    filter.allLifecycles
      ? undefined
      : sql`not exists (select 1 from ${device} hidden where hidden.organization = ${event.organization}
          and hidden.number = ${event.number} and hidden.lifecycle in ${[...hiddenLifecycles]})`,
  );
}

/** What `eventWhere` selects, but for time and resolution, which mean nothing for an event that just happened. */
export function eventMatches(filter: EventFilter, stored: StoredEvent): boolean {
  const { devices, publishers, tags, healthLevels } = filter;
  if (!filter.types.includes(stored.type)) return false;
  if (!filter.allLifecycles && stored.lifecycle !== null && isHidden(stored.lifecycle)) return false;
  if (healthLevels.length > 0 && (stored.healthLevel === null || !healthLevels.includes(stored.healthLevel))) {
    return false;
  }
  return (
    keeps(devices, stored.number === null ? [] : [stored.number]) &&
    keeps(tags, stored.tags) &&
    (publishers.include === undefined ||
      (stored.publisher !== null && publishers.include.includes(stored.publisher))) &&
    (stored.publisher === null || !publishers.exclude.includes(stored.publisher))
  );
}

function keeps<T>({ include, exclude }: IncludeExclude<T>, values: readonly T[]): boolean {
  if (values.some((value) => exclude.includes(value))) return false;
  return include.length === 0 || values.some((value) => include.includes(value));
}
