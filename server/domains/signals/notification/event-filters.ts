/** Reads and checks changes to the filters of an event publisher, such as a webhook or email. */
import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';

import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { ModemSelectionSchema } from '#proto/gen/hiber/modem_pb.ts';
import type { Tx } from '#server/db/database.ts';
import type { IncludeExclude } from '#server/db/schema/publisher-filters.ts';
import { tag } from '#server/db/schema/tag.ts';
import { readModemCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { requireIncludedDevices } from '#server/domains/fleet/device/model/included-devices.ts';
import { deviceNumber } from '#server/domains/fleet/device/model/number.ts';
import { deviceScope } from '#server/domains/fleet/device/model/where.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import type { Scope } from '#server/session/scope.ts';
import { invalidArgument, notFound, describeMissing } from '#server/wire/errors.ts';

/** A change to the filters. An absent filter remains unchanged; an empty filter matches everything. */
export interface EventFilterChange {
  readonly eventFilter?: IncludeExclude<EventType>;
  readonly deviceFilter?: IncludeExclude<string>;
  readonly tagFilter?: IncludeExclude<number>;
  readonly addHealthLevels?: readonly string[];
  readonly removeHealthLevels?: readonly string[];
}

/** A deprecated wrapper, which changes nothing unless `updated` is set (contract: Update semantics). */
interface Wrapper<T> {
  readonly updated: boolean;
  readonly value?: T;
}

/**
 * Returns the current field or, if absent, the value of the deprecated wrapper. An updated wrapper without a value
 * means `empty`.
 */
export function currentOrDeprecated<T>(
  current: T | undefined,
  wrapper: Wrapper<T> | undefined,
  empty: T,
): T | undefined {
  if (current !== undefined) return current;
  return wrapper?.updated ? (wrapper.value ?? empty) : undefined;
}

interface Filter<T> {
  readonly include: T[];
  readonly exclude: T[];
}

const emptyFilter = { include: [], exclude: [] };

interface FilterFields {
  readonly eventFilter?: Filter<EventType>;
  readonly deprecatedEventFilter?: Wrapper<Filter<EventType>>;
  readonly modemFilter?: Filter<string>;
  readonly deprecatedModemFilter?: Wrapper<Filter<string>>;
  readonly tagFilter?: Filter<bigint>;
  readonly deprecatedTagFilter?: Wrapper<Filter<bigint>>;
}

/**
 * Reads the filters in a request, each of which replaces the stored one. An absent filter remains unchanged; an empty
 * filter matches everything (contract: UpdateFilter).
 */
export function readEventFilters(fields: FilterFields): EventFilterChange {
  const events = currentOrDeprecated(fields.eventFilter, fields.deprecatedEventFilter, emptyFilter);
  const devices = currentOrDeprecated(fields.modemFilter, fields.deprecatedModemFilter, emptyFilter);
  const tags = currentOrDeprecated(fields.tagFilter, fields.deprecatedTagFilter, emptyFilter);
  return {
    eventFilter: events && { include: events.include, exclude: events.exclude },
    deviceFilter: devices && {
      include: devices.include.map(deviceNumber),
      exclude: devices.exclude.map(deviceNumber),
    },
    tagFilter: tags && { include: tags.include.map(Number), exclude: tags.exclude.map(Number) },
  };
}

/** The filter columns of a publisher's row. */
export interface StoredFilters {
  deviceFilter: IncludeExclude<string>;
  tagFilter: IncludeExclude<number>;
  healthLevels: string[];
}

/**
 * Checks a change to the filters by device, tag, and health level, and returns the values to store. Each publisher
 * checks event types itself.
 *
 * @throws ConnectError NOT_FOUND or INVALID_ARGUMENT, naming the items that don't exist
 */
export async function resolveFilters(
  tx: Tx,
  caller: Scope,
  stored: Pick<StoredFilters, 'healthLevels'>,
  change: EventFilterChange,
  now: Date,
): Promise<Partial<StoredFilters>> {
  const { deviceFilter, tagFilter, addHealthLevels = [], removeHealthLevels = [] } = change;
  const resolved: Partial<StoredFilters> = {};
  if (deviceFilter !== undefined) {
    await checkDevices(tx, caller, deviceFilter, now);
    resolved.deviceFilter = deviceFilter;
  }
  if (tagFilter !== undefined) {
    await checkTags(tx, caller.organization, tagFilter.include);
    resolved.tagFilter = tagFilter;
  }
  if (addHealthLevels.length + removeHealthLevels.length > 0) {
    await checkLevels(tx, caller.organization, addHealthLevels);
    const remaining = stored.healthLevels.filter((level) => !removeHealthLevels.includes(level));
    resolved.healthLevels = [...new Set([...remaining, ...addHealthLevels])];
  }
  return resolved;
}

/** Checks only the include list, because excluding a missing device has no effect. */
async function checkDevices(tx: Tx, caller: Scope, filter: IncludeExclude<string>, now: Date): Promise<void> {
  const selection = create(ModemSelectionSchema, { modems: { include: filter.include } });
  await requireIncludedDevices(tx, deviceScope(caller), readModemCriteria(selection, now));
}

export async function checkTags(tx: Tx, organization: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .select({ id: tag.id })
    .from(tag)
    .where(and(eq(tag.organization, organization), sql`${tag.id} = any(${sql.param([...ids])}::bigint[])`));
  const existing = new Set(rows.map(({ id }) => id));
  const missingIds = ids.filter((id) => !existing.has(id));
  if (missingIds.length > 0)
    throw notFound(`${organization} has ${describeMissing('tag with id', missingIds, 'tags with ids')}.`);
}

async function checkLevels(tx: Tx, organization: string, levels: readonly string[]): Promise<void> {
  if (levels.length === 0) return;
  const existing = (await loadHealthLevels(tx, organization)).map(({ level }) => level);
  const missingLevels = levels.filter((level) => !existing.includes(level));
  if (missingLevels.length > 0) {
    throw invalidArgument(
      `${organization} has ${describeMissing('health level', missingLevels)}. It has ${existing.join(', ')}.`,
    );
  }
}
