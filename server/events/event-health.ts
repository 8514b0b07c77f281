/** The health level that events of a type carry, and for how long (contract: EventService configuration). */
import { and, eq, type SQL, sql } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { HealthLevel } from '#proto/gen/hiber/health_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { eventHealth } from '#server/db/schema/event-configuration.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';

import { healthLevels } from './health-level.ts';

/** The severity of an event whose type has no level chosen by the organization. */
type Weight = 'problem' | 'warning';

/**
 * The types that affect health, meaning those whose detail has a health level, and their default severity, which the
 * contract does not state. Alarms name their own levels; a level configured for them applies to alarms without one,
 * such as the built-in inactivity alarm.
 */
const weights = new Map<EventType, Weight | undefined>([
  [EventType.ALARM_TRIGGERED, undefined],
  [EventType.MESSAGE_CANNOT_BE_PARSED, 'problem'],
  [EventType.PUBLISHER_FAILED, 'problem'],
  [EventType.PUBLISHER_AUTO_DISABLED, 'problem'],
  [EventType.TOKEN_EXPIRY_WARNING, 'warning'],
]);

export const typesWithHealth: readonly EventType[] = [...weights.keys()];

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
 * Returns the default level of a weight. The level of a problem is the catch-all, as for everything that names no
 * level; if that is the mildest, it is the worst level instead. A warning is one level milder, but never the mildest,
 * which means that nothing is wrong.
 *
 * @param levels mildest first
 */
function defaultLevel(levels: readonly HealthLevel[], weight: Weight): HealthLevel | undefined {
  const catchAll = levels.findIndex((level) => level.catchAll);
  const problem = catchAll > 0 ? catchAll : levels.length - 1;
  return weight === 'warning' && problem > 1 ? levels[problem - 1] : levels[problem];
}

/**
 * The same rule as a query over all organizations: the level of a late device (a warning) and of a lost one (a
 * problem). Leaves out organizations with a single level, which cannot express any difference.
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
  ) as place
  left join ${eventHealth} chosen
    on chosen.organization = scale.organization and chosen.type = ${EventType.ALARM_TRIGGERED}
  where cardinality(names) > 1`;

/** Returns the settings of each type that affects health, defaults included; ordered by type. */
export async function effectiveHealth(db: Executor, organization: string): Promise<EventHealth[]> {
  const levels = await healthLevels(db, organization);
  const rows = await db.select().from(eventHealth).where(eq(eventHealth.organization, organization));
  return [...weights].flatMap(([type, weight]): EventHealth[] => {
    const row = rows.find((item) => item.type === Number(type));
    const level = row
      ? levels.find((healthLevel) => healthLevel.level === row.level)
      : weight && defaultLevel(levels, weight);
    if (level === undefined) return [];
    return [{ type, level, expiry: row?.expiry ?? undefined, createdAt: row?.createdAt, updatedAt: row?.updatedAt }];
  });
}

/** Returns the level that a new event of the type carries; undefined if the organization has no levels. */
export async function levelOfType(
  db: Executor,
  organization: string,
  type: EventType,
): Promise<HealthLevel | undefined> {
  return (await effectiveHealth(db, organization)).find((health) => health.type === type)?.level;
}

/** Returns the seconds that the effect of an event of the type lasts; undefined if it lasts until resolved. */
export async function expiryOfType(db: Executor, organization: string, type: EventType): Promise<number | undefined> {
  const [row] = await db
    .select({ expiry: eventHealth.expiry })
    .from(eventHealth)
    .where(and(eq(eventHealth.organization, organization), eq(eventHealth.type, type)));
  return row?.expiry ?? undefined;
}
