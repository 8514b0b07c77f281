/** The health level of events, keyed by type, and how long it lasts (contract: EventService configuration). */
import { and, eq, type SQL, sql } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { eventHealth } from '#server/db/schema/event-configuration.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';

import { loadHealthLevels } from './health-level.ts';

/** The severity of an event type that the organization hasn't chosen a level for. */
type DefaultSeverity = 'problem' | 'warning';

/**
 * The types whose detail has a health level, which affects the device's health. Each has a default severity, which the
 * contract doesn't specify. Alarms have their own levels. A level that is configured for the alarm type applies to
 * alarms that have no level of their own, such as the built-in inactivity alarm.
 */
const defaultSeverities = new Map<EventType, DefaultSeverity | undefined>([
  [EventType.ALARM_TRIGGERED, undefined],
  [EventType.MESSAGE_CANNOT_BE_PARSED, 'problem'],
  [EventType.PUBLISHER_FAILED, 'problem'],
  [EventType.PUBLISHER_AUTO_DISABLED, 'problem'],
  [EventType.TOKEN_EXPIRY_WARNING, 'warning'],
]);

export const typesWithHealth: readonly EventType[] = [...defaultSeverities.keys()];

export interface EventHealth {
  readonly type: EventType;
  readonly level: HealthLevel;
  /** Seconds; undefined means until resolved. */
  readonly expiry: number | undefined;
  /** Undefined for a default. */
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
}

/**
 * Returns the default level for a severity. A problem gets the catch-all level, like anything without a level of its
 * own, or the worst level if the catch-all is the mildest. A warning is one level milder, but never the mildest, which
 * means that nothing is wrong.
 *
 * @param levels mildest first
 */
function defaultLevel(levels: readonly HealthLevel[], severity: DefaultSeverity): HealthLevel | undefined {
  const catchAll = levels.findIndex((level) => level.catchAll);
  const problemIndex = catchAll > 0 ? catchAll : levels.length - 1;
  return severity === 'warning' && problemIndex > 1 ? levels[problemIndex - 1] : levels[problemIndex];
}

/**
 * Applies the same rule to all organizations in a query: the level of a late device (a warning) and of a lost one (a
 * problem). Omits organizations with a single level, which cannot express a difference.
 */
export const silenceLevels: SQL = sql`
  select scale.organization, coalesce(chosen.level, scale.names[problem]) as lost,
    coalesce(chosen.level, scale.names[case when problem > 2 then problem - 1 else problem end]) as late
  from (
    select organization, array_agg(level::text order by severity, level) as names,
      array_position(array_agg(catch_all order by severity, level), true) as catch_all
    from ${healthLevel} group by organization
  ) as scale
  cross join lateral (
    select case when catch_all > 1 then catch_all else cardinality(names) end as problem
  ) as problem_position
  left join ${eventHealth} chosen
    on chosen.organization = scale.organization and chosen.type = ${EventType.ALARM_TRIGGERED}
  where cardinality(names) > 1`;

/** Loads the settings of each type that affects health, including defaults, ordered by type. */
export async function loadEventHealth(db: Executor, organization: string): Promise<EventHealth[]> {
  const levels = await loadHealthLevels(db, organization);
  const rows = await db.select().from(eventHealth).where(eq(eventHealth.organization, organization));
  return [...defaultSeverities].flatMap(([type, severity]): EventHealth[] => {
    const row = rows.find((item) => item.type === Number(type));
    const level = row
      ? levels.find((healthLevel) => healthLevel.level === row.level)
      : severity && defaultLevel(levels, severity);
    if (level === undefined) return [];
    return [{ type, level, expiry: row?.expiry ?? undefined, createdAt: row?.createdAt, updatedAt: row?.updatedAt }];
  });
}

/** Finds the level of a new event of the given type; undefined if the organization has no levels. */
export async function findLevel(db: Executor, organization: string, type: EventType): Promise<HealthLevel | undefined> {
  return (await loadEventHealth(db, organization)).find((health) => health.type === type)?.level;
}

/** Finds how long an event of the given type affects health, in seconds; undefined means until it's resolved. */
export async function findExpiry(db: Executor, organization: string, type: EventType): Promise<number | undefined> {
  const [row] = await db
    .select({ expiry: eventHealth.expiry })
    .from(eventHealth)
    .where(and(eq(eventHealth.organization, organization), eq(eventHealth.type, type)));
  return row?.expiry ?? undefined;
}
