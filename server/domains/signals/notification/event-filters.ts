/** The filters that a publisher of events has, webhook or mail: how a request changes them, and what they may name. */
import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { tag } from '#server/db/schema/tag.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import type { Scope } from '#server/session/scope.ts';
import { modemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope, requireNamedDevices } from '#server/domains/fleet/device/model/where.ts';
import { invalidArgument, notFound, some } from '#server/wire/errors.ts';
import { healthLevels } from '#server/events/health-level.ts';

/** What to change; absent is unchanged, empty lets everything through. */
export interface EventFilterChange {
  readonly eventFilter?: IncludeExclude<EventType>;
  readonly deviceFilter?: IncludeExclude<string>;
  readonly tagFilter?: IncludeExclude<number>;
  readonly addHealthLevels?: readonly string[];
  readonly removeHealthLevels?: readonly string[];
}

/** A deprecated wrapper: nothing changes unless it says so (contract: Update semantics). */
interface Wrapper<T> {
  readonly updated: boolean;
  readonly value?: T;
}

/** The new field wins over the wrapper; a wrapper that is updated without a value clears, to `empty`. */
export function either<T>(current: T | undefined, wrapper: Wrapper<T> | undefined, empty: T): T | undefined {
  if (current !== undefined) return current;
  return wrapper?.updated ? (wrapper.value ?? empty) : undefined;
}

interface Filter<T> {
  readonly include: T[];
  readonly exclude: T[];
}

const nothing = { include: [], exclude: [] };

interface FilterFields {
  readonly eventFilter?: Filter<EventType>;
  readonly deprecatedEventFilter?: Wrapper<Filter<EventType>>;
  readonly modemFilter?: Filter<string>;
  readonly deprecatedModemFilter?: Wrapper<Filter<string>>;
  readonly tagFilter?: Filter<bigint>;
  readonly deprecatedTagFilter?: Wrapper<Filter<bigint>>;
}

/** Filters are replaced whole: absent is unchanged, empty lets everything through (contract: UpdateFilter). */
export function readEventFilters(fields: FilterFields): EventFilterChange {
  const events = either(fields.eventFilter, fields.deprecatedEventFilter, nothing);
  const devices = either(fields.modemFilter, fields.deprecatedModemFilter, nothing);
  const tags = either(fields.tagFilter, fields.deprecatedTagFilter, nothing);
  return {
    eventFilter: events && { include: events.include, exclude: events.exclude },
    deviceFilter: devices && {
      include: devices.include.map(deviceNumber),
      exclude: devices.exclude.map(deviceNumber),
    },
    tagFilter: tags && { include: tags.include.map(Number), exclude: tags.exclude.map(Number) },
  };
}

/** The columns of the filters that a publisher's row has. */
export interface StoredFilters {
  deviceFilter: IncludeExclude<string>;
  tagFilter: IncludeExclude<number>;
  healthLevels: string[];
}

/**
 * What to store of a change to filters by device, tag and health level. The types of events are for each publisher to
 * weigh.
 *
 * @throws ConnectError NOT_FOUND or INVALID_ARGUMENT naming what does not exist
 */
export async function settledFilters(
  tx: Tx,
  caller: Scope,
  stored: Pick<StoredFilters, 'healthLevels'>,
  change: EventFilterChange,
  now: Date,
): Promise<Partial<StoredFilters>> {
  const { deviceFilter, tagFilter, addHealthLevels = [], removeHealthLevels = [] } = change;
  const settled: Partial<StoredFilters> = {};
  if (deviceFilter !== undefined) {
    await checkDevices(tx, caller, deviceFilter, now);
    settled.deviceFilter = deviceFilter;
  }
  if (tagFilter !== undefined) {
    await checkTags(tx, caller.organization, tagFilter.include);
    settled.tagFilter = tagFilter;
  }
  if (addHealthLevels.length + removeHealthLevels.length > 0) {
    await checkLevels(tx, caller.organization, addHealthLevels);
    const kept = stored.healthLevels.filter((level) => !removeHealthLevels.includes(level));
    settled.healthLevels = [...new Set([...kept, ...addHealthLevels])];
  }
  return settled;
}

/** Only what is included is checked: to exclude what is not there asks for nothing. */
async function checkDevices(tx: Tx, caller: Scope, filter: IncludeExclude<string>, now: Date): Promise<void> {
  const named = create(ModemSelectionSchema, { modems: { include: filter.include } });
  await requireNamedDevices(tx, deviceScope(caller), modemCriteria(named, now));
}

export async function checkTags(tx: Tx, organization: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(eq(tag.organization, organization), sql`${tag.id} = any(${sql.param([...ids])}::bigint[])`));
  const known = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) throw notFound(`${organization} has no tag with id ${some(missing)}.`);
}

async function checkLevels(tx: Tx, organization: string, levels: readonly string[]): Promise<void> {
  if (levels.length === 0) return;
  const known = (await healthLevels(tx, organization)).map(({ level }) => level);
  const missing = levels.filter((level) => !known.includes(level));
  if (missing.length > 0) {
    throw invalidArgument(`${organization} has no health level ${some(missing)}; it has ${known.join(', ')}.`);
  }
}
