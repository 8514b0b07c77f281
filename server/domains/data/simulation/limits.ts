import { sql } from 'drizzle-orm';

import type { Tx } from '#server/db/database.ts';
import { failedPrecondition, invalidArgument } from '#server/wire/errors.ts';
import { durationText } from '#server/wire/present.ts';

import { simulation } from './schema.ts';

/** The shortest and longest interval between two runs of a simulation, in seconds. */
const MIN_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 30 * 86_400;
/** The maximum number of an organization's simulating devices, and of their simulated fields and locations. */
const MAX_SIMULATIONS = 10_000;
/** The maximum per organization. Together with the limits above, it keeps an organization from slowing down others. */
const MAX_PER_DAY = 1_000_000;
/** The maximum number of bodies, values, or locations in a rotation. */
export const MAX_ROTATION = 100;

export type SimulationSettings = typeof simulation.$inferSelect;

/** Checks an interval in seconds; undefined and 0 stand for the default. */
export function readInterval(seconds: number | undefined, field: string): number | undefined {
  if (seconds === undefined || seconds === 0) return undefined;
  if (seconds < MIN_INTERVAL_SECONDS || seconds > MAX_INTERVAL_SECONDS) {
    throw invalidArgument(
      `${field} must be from ${durationText(MIN_INTERVAL_SECONDS)} to ${durationText(MAX_INTERVAL_SECONDS)}, not ${durationText(seconds)}.`,
    );
  }
  return Math.round(seconds);
}

export function requireRotation(items: readonly unknown[], field: string): void {
  if (items.length <= MAX_ROTATION) return;
  throw invalidArgument(`${field} can have at most ${MAX_ROTATION} items; there are ${items.length}.`);
}

/** Locks the organization's settings, so two changes can't exceed a limit together. */
export async function lockSettings(tx: Tx, organization: string): Promise<SimulationSettings> {
  await tx.insert(simulation).values({ organization }).onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(simulation)
    .where(sql`organization = ${organization}`)
    .for('update');
  return row as SimulationSettings;
}

/**
 * Checks an organization's limits after a change.
 *
 * @throws ConnectError FAILED_PRECONDITION
 */
export async function checkLimits(tx: Tx, organization: string): Promise<void> {
  const { rows } = await tx.execute<{ devices: number; messages: number; fields: number; values: number }>(sql`
    select messages.*, fields.* from
      (select count(*)::int as devices, coalesce(sum(86400.0 / coalesce(m.interval_seconds, s.interval_seconds)
          * coalesce(m.messages_per_interval, s.messages_per_interval)), 0)::float8 as messages
         from message_simulation m join simulation s using (organization)
        where organization = ${organization} and m.enabled) as messages,
      (select count(*)::int as fields, coalesce(sum(86400.0 / interval_seconds), 0)::float8 as values
         from (select organization, interval_seconds from value_simulation
           union all select organization, interval_seconds from location_simulation) as simulated
        where organization = ${organization}) as fields`);
  const { devices = 0, messages = 0, fields = 0, values = 0 } = rows[0] ?? {};
  requireAtMost(devices, MAX_SIMULATIONS, 'devices that simulate messages');
  requireAtMost(messages, MAX_PER_DAY, 'simulated messages a day');
  requireAtMost(fields, MAX_SIMULATIONS, 'simulated fields and locations of devices');
  requireAtMost(values, MAX_PER_DAY, 'simulated values and locations a day');
}

function requireAtMost(count: number, max: number, items: string): void {
  if (count <= max) return;
  const [text, maxText] = [Math.round(count), max].map((number) => number.toLocaleString('en'));
  throw failedPrecondition(
    `An organization can have at most ${maxText} ${items}; this would make it ${text}. Select fewer devices, or a longer interval.`,
  );
}

/** The number of devices or fields in a transaction. */
export const BATCH_SIZE = { messages: 50, values: 500 };
