import { type SQL, sql } from 'drizzle-orm';

import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { keyRowsIn } from '#server/db/key-rows.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { loadDeviceSubjects } from '#server/domains/fleet/device/model/subject.ts';
import { lockHealth, refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { findExpiry, silenceLevels } from '#server/events/event-health.ts';
import { loadHealthLevels } from '#server/events/health-level.ts';
import { recordEvents } from '#server/events/record.ts';
import { resolveIdentifier } from '#server/events/resolve-identifier.ts';
import { durationText } from '#server/wire/present.ts';

import { alarmTriggered } from './events.ts';

/** The source of the built-in condition for inactive devices; also the alarm identifier in its events. */
export const INACTIVITY_SOURCE = 'inactivity';

const HOUR = 3600;

/**
 * A device is late after this many of its expected intervals, but not before `minimum` seconds have passed (not
 * specified in the contract). A restarting gateway or a storm must not raise alarms for a whole field.
 */
const LATE_AFTER = { intervals: 4, minimum: 6 * HOUR };
/** A device is lost after this many of its expected intervals, with a minimum as in {@link LATE_AFTER}. */
const LOST_AFTER = { intervals: 12, minimum: 24 * HOUR };

/** Lifecycles of devices that are expected to send messages. PAUSED isn't one of them (contract: Lifecycle). */
export const lifecyclesExpectedToSend: readonly number[] = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PENDING_MAINTENANCE,
  Modem_Lifecycle.PENDING_REPLACEMENT,
];

/** The maximum number of changes per run. The next run applies the remaining changes. */
const MAX_CHANGES = 20_000;

/** A period without a running server, which doesn't count as inactivity. */
export interface Downtime {
  readonly from: Date;
  readonly to: Date;
}

/** A device with an outdated inactivity condition. */
export interface InactivityChange extends Record<string, unknown> {
  readonly organization: string;
  readonly number: string;
  /** The level that the condition should have; null if the device should have no condition. */
  readonly level: string | null;
  /** Seconds, excluding downtimes. */
  readonly silence: number;
  /** The time of the last message, ISO 8601. */
  readonly lastMessageAt: string;
}

/**
 * Finds devices in all organizations whose inactivity level has changed as of `now`. The expected interval is derived
 * from the device's expected rate, or else from the organization's expected rate, the device's transmission interval,
 * or a default of one day. A late device gets the level of a warning, and a lost device gets the level of a problem,
 * unless the organization has configured a level for alarms (event-health.ts).
 */
export async function findInactivityChanges(
  db: Executor,
  now: Date,
  downtimes: readonly Downtime[],
): Promise<InactivityChange[]> {
  const instant = sql`${now.toISOString()}::timestamptz`;
  const column = (value: (downtime: Downtime) => Date) =>
    sql.param(downtimes.map((downtime) => value(downtime).toISOString()));
  const { rows } = await db.execute<InactivityChange>(sql`
    with levels as (${silenceLevels}), silent as (
      select d.organization, d.number, d.last_message_received_at as heard, l.late, l.lost,
        d.lifecycle = any(${sql.param([...lifecyclesExpectedToSend])}::int[]) as counts,
        coalesce(86400.0 / nullif(coalesce(d.expected_transmission_rate, o.expected_transmission_rate), 0),
          d.transmission_interval, 86400) as expected,
        extract(epoch from ${instant} - d.last_message_received_at)::float8 - coalesce((
          select sum(greatest(0, extract(epoch from
            least(down.till, ${instant}) - greatest(down.since, d.last_message_received_at))))
          from unnest(${column(({ from }) => from)}::timestamptz[], ${column(({ to }) => to)}::timestamptz[])
            as down (since, till)
        ), 0)::float8 as silence
      from device d join organization o on o.id = d.organization join levels l on l.organization = d.organization
      where d.last_message_received_at is not null
    ), judged as (
      select organization, number, heard, silence, case
        when not counts then null
        when silence > greatest(${LOST_AFTER.minimum}, ${LOST_AFTER.intervals} * expected) then lost
        when silence > greatest(${LATE_AFTER.minimum}, ${LATE_AFTER.intervals} * expected) then late
        end as level
      from silent
    )
    select j.organization, j.number, j.level, j.silence, to_json(j.heard) as "lastMessageAt"
    from judged j
    left join device_condition c
      on c.organization = j.organization and c.number = j.number and c.source = ${INACTIVITY_SOURCE}
    where c.health_level is distinct from j.level
    order by j.organization, j.number limit ${MAX_CHANGES}`);
  return rows;
}

/**
 * Applies the changes in one organization, with an alarm event for every device that has become late or lost. Skips
 * devices that have sent a message since {@link findInactivityChanges} ran.
 */
export async function applyInactivity(
  tx: Tx,
  organization: string,
  changes: readonly InactivityChange[],
  now: Date,
): Promise<void> {
  await lockHealth(tx, organization, 'shared');
  const { rows: silentDevices } = await tx.execute<{ number: string }>(sql`
    select d.number from device d
    join unnest(${sql.param(changes.map(({ number }) => number))}::text[],
      ${sql.param(changes.map(({ lastMessageAt }) => lastMessageAt))}::timestamptz[]) as found (number, heard)
      on d.number = found.number and d.last_message_received_at = found.heard
    where d.organization = ${organization}
    order by d.number for update of d`);
  const silentNumbers = new Set(silentDevices.map(({ number }) => number));
  const currentChanges = changes.filter(({ number }) => silentNumbers.has(number));
  const endedNumbers = currentChanges.filter(({ level }) => level === null).map(({ number }) => number);
  await endInactivity(tx, organization, endedNumbers, now);
  await raiseAlarms(
    tx,
    organization,
    currentChanges.flatMap(({ level, ...change }) => (level === null ? [] : [{ ...change, level }])),
    now,
  );
}

async function raiseAlarms(
  tx: Tx,
  organization: string,
  changes: readonly { number: string; level: string; silence: number }[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return;
  const levels = await loadHealthLevels(tx, organization);
  // Skip levels removed in the meantime; the next run reads the new levels.
  const applicable = changes.filter(({ level }) => levels.some((healthLevel) => healthLevel.level === level));
  const expiry = await findExpiry(tx, organization, EventType.ALARM_TRIGGERED);
  const numbers = applicable.map(({ number }) => number);
  await tx.execute(sql`
    insert into device_condition (organization, number, source, health_level, since, until)
    select ${organization}, number, ${INACTIVITY_SOURCE}, level, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz + ${expiry ?? null}::int * interval '1 second'
    from unnest(${sql.param(numbers)}::text[], ${sql.param(applicable.map(({ level }) => level))}::text[])
      as t (number, level)
    on conflict (organization, number, source) do update set health_level = excluded.health_level,
      until = excluded.until, lapsed = false`);
  await refreshHealth(tx, organization, numbers);
  const subjects = await loadDeviceSubjects(tx, organization, numbers);
  const events = applicable.flatMap(({ number, level, silence }) => {
    const subject = subjects.get(number);
    const healthLevel = levels.find((candidate) => candidate.level === level);
    if (!subject || !healthLevel) return [];
    const errorMessage = `No message for ${durationText(Math.floor(silence / HOUR) * HOUR)}`;
    const alarmDescription = 'The device has sent no message for longer than expected.';
    return [alarmTriggered(subject, now, { alarm: INACTIVITY_SOURCE, alarmDescription, errorMessage, healthLevel })];
  });
  await recordEvents(tx, events);
}

/**
 * Ends the inactivity of devices that have sent a message or are no longer expected to send messages, and resolves
 * their inactivity alarms.
 */
export async function endInactivity(
  tx: Tx,
  organization: string,
  numbers: readonly string[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const { rows } = await executePrepared<{ number: string }>(tx, inactivityDeletion(organization, numbers));
  await resolveInactivity(
    tx,
    organization,
    rows.map(({ number }) => number),
    now,
  );
}

/**
 * Deletes the inactivity conditions of devices and returns their numbers, as a part of a larger statement. Call
 * {@link resolveInactivity} with the numbers.
 */
export const inactivityDeletion = (organization: string, numbers: readonly string[]): SQL => sql`
  delete from device_condition as condition using ${keyRowsIn(organization, numbers)} as key (organization, number)
   where condition.organization = key.organization and condition.number = key.number
     and condition.source = ${INACTIVITY_SOURCE}
  returning condition.number`;

/** Resolves the inactivity alarms of devices whose inactivity has ended, and refreshes their health. */
export async function resolveInactivity(
  tx: Tx,
  organization: string,
  numbers: readonly string[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const identifiers = numbers.map((number) => resolveIdentifier(EventType.ALARM_TRIGGERED, INACTIVITY_SOURCE, number));
  await tx.execute(sql`
    update event set resolved_at = ${now.toISOString()}::timestamptz
    where organization = ${organization} and resolved_at is null
      and resolve_identifier = any(${sql.param(identifiers)}::text[])`);
  await refreshHealth(tx, organization, numbers);
}
