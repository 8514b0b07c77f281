import { sql } from 'drizzle-orm';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { Modem_Lifecycle } from '#proto/gen/hiber/modem_pb.ts';
import type { Executor, Tx } from '#server/db/database.ts';
import { durationText } from '#server/wire/present.ts';
import { healthLevels } from '#server/events/health-level.ts';
import { alarmTriggered } from './events.ts';
import { lockHealth, refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { expiryOfType, silenceLevels } from '#server/events/event-health.ts';
import { recordEvents } from '#server/events/record.ts';
import { resolveIdentifier } from '#server/events/resolve-identifier.ts';
import { deviceSubjects } from '#server/domains/fleet/device/model/subject.ts';

/** The built-in condition of a device that stays silent; also the alarm identifier of its events. */
export const INACTIVITY_SOURCE = 'inactivity';

const HOUR = 3600;

/**
 * Not stated, chosen here, in seconds. A device is late after four times its expected interval and lost after twelve
 * times, but never before six and twenty-four hours: a gateway that restarts or a storm must not turn a field red.
 */
const late = { intervals: 4, least: 6 * HOUR };
const lost = { intervals: 12, least: 24 * HOUR };

/** Lifecycles in which a device is expected to speak; a paused one is not (contract: Lifecycle). */
export const expectedToSpeak: readonly number[] = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PENDING_MAINTENANCE,
  Modem_Lifecycle.PENDING_REPLACEMENT,
];

/** Changes taken on in one go; the rest is found again the next time. */
const MAX_CHANGES = 20_000;

/** A stretch in which no server listened, so that silence proves nothing. */
export interface Downtime {
  readonly from: Date;
  readonly to: Date;
}

/** A device whose inactivity condition is not what it should be. */
export interface Change extends Record<string, unknown> {
  readonly organization: string;
  readonly number: string;
  /** Level that the condition should have; null: there should be none. */
  readonly level: string | null;
  /** Seconds, downtimes not counted. */
  readonly silence: number;
  /** When the device was last heard, ISO 8601. */
  readonly heard: string;
}

/**
 * Devices of all organizations that became late or lost as of `now`, or no longer are. The expected interval is what
 * the service level counts on, else the organization's default, else the device's own transmission interval, else a
 * day. Late weighs as a warning and lost as a problem, unless the organization chose a level for alarms that name none
 * (event-health.ts).
 */
export async function inactivityChanges(db: Executor, now: Date, downtimes: readonly Downtime[]): Promise<Change[]> {
  const instant = sql`${now.toISOString()}::timestamptz`;
  const column = (value: (downtime: Downtime) => Date) =>
    sql.param(downtimes.map((downtime) => value(downtime).toISOString()));
  const { rows } = await db.execute<Change>(sql`
    with levels as (${silenceLevels}), silent as (
      select d.organization, d.number, d.last_message_received_at as heard, l.late, l.lost,
        d.lifecycle = any(${sql.param([...expectedToSpeak])}::int[]) as counts,
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
        when silence > greatest(${lost.least}, ${lost.intervals} * expected) then lost
        when silence > greatest(${late.least}, ${late.intervals} * expected) then late
        end as level
      from silent
    )
    select j.organization, j.number, j.level, j.silence, to_json(j.heard) as heard
    from judged j
    left join device_condition c
      on c.organization = j.organization and c.number = j.number and c.source = ${INACTIVITY_SOURCE}
    where c.health_level is distinct from j.level
    order by j.organization, j.number limit ${MAX_CHANGES}`);
  return rows;
}

/**
 * Makes the changes of one organization, with an alarm event for every device that became late or lost. A device that
 * was heard since the changes were found is left alone.
 */
export async function applyInactivity(
  tx: Tx,
  organization: string,
  changes: readonly Change[],
  now: Date,
): Promise<void> {
  await lockHealth(tx, organization, 'shared');
  const { rows: unheard } = await tx.execute<{ number: string }>(sql`
    select d.number from device d
    join unnest(${sql.param(changes.map(({ number }) => number))}::text[],
      ${sql.param(changes.map(({ heard }) => heard))}::timestamptz[]) as found (number, heard)
      on d.number = found.number and d.last_message_received_at = found.heard
    where d.organization = ${organization}
    order by d.number for update of d`);
  const current = new Set(unheard.map(({ number }) => number));
  const still = changes.filter(({ number }) => current.has(number));
  const over = still.filter(({ level }) => level === null).map(({ number }) => number);
  await endInactivity(tx, organization, over, now);
  await raise(
    tx,
    organization,
    still.flatMap(({ level, ...change }) => (level === null ? [] : [{ ...change, level }])),
    now,
  );
}

async function raise(
  tx: Tx,
  organization: string,
  found: readonly { number: string; level: string; silence: number }[],
  now: Date,
): Promise<void> {
  if (found.length === 0) return;
  const levels = await healthLevels(tx, organization);
  // Removed since the changes were found: the next look finds them anew.
  const raised = found.filter(({ level }) => levels.some((healthLevel) => healthLevel.level === level));
  const expiry = await expiryOfType(tx, organization, EventType.ALARM_TRIGGERED);
  const numbers = raised.map(({ number }) => number);
  await tx.execute(sql`
    insert into device_condition (organization, number, source, health_level, since, until)
    select ${organization}, number, ${INACTIVITY_SOURCE}, level, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz + ${expiry ?? null}::int * interval '1 second'
    from unnest(${sql.param(numbers)}::text[], ${sql.param(raised.map(({ level }) => level))}::text[])
      as t (number, level)
    on conflict (organization, number, source) do update set health_level = excluded.health_level,
      until = excluded.until, lapsed = false`);
  await refreshHealth(tx, organization, numbers);
  const subjects = await deviceSubjects(tx, organization, numbers);
  const events = raised.flatMap(({ number, level, silence }) => {
    const subject = subjects.get(number);
    const healthLevel = levels.find((candidate) => candidate.level === level);
    if (!subject || !healthLevel) return [];
    const errorMessage = `No message for ${durationText(Math.floor(silence / HOUR) * HOUR)}`;
    const alarmDescription = 'The device has been silent for longer than its expected interval allows.';
    return [alarmTriggered(subject, now, { alarm: INACTIVITY_SOURCE, alarmDescription, errorMessage, healthLevel })];
  });
  await recordEvents(tx, events);
}

/** The device spoke, or is no longer expected to: its inactivity ends, and the alarms about it are resolved. */
export async function endInactivity(
  tx: Tx,
  organization: string,
  numbers: readonly string[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const { rows } = await tx.execute<{ number: string }>(sql`
    delete from device_condition
    where organization = ${organization} and source = ${INACTIVITY_SOURCE}
      and number = any(${sql.param([...numbers])}::text[])
    returning number`);
  const back = rows.map(({ number }) => number);
  if (back.length === 0) return;
  const identifiers = back.map((number) => resolveIdentifier(EventType.ALARM_TRIGGERED, INACTIVITY_SOURCE, number));
  await tx.execute(sql`
    update event set resolved_at = ${now.toISOString()}::timestamptz
    where organization = ${organization} and resolved_at is null
      and resolve_identifier = any(${sql.param(identifiers)}::text[])`);
  await refreshHealth(tx, organization, back);
}
