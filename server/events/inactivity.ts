import { sql } from 'drizzle-orm';
import { Modem_Lifecycle } from '#proto/hiber/modem_pb';
import type { Tx } from '#server/db/database';
import { durationText } from '#server/services/shared/present';
import { healthLevels } from '#server/services/shared/health-level';
import { alarmTriggered, resolveIdentifier } from './alarm.ts';
import { builtInLevels, refreshHealth } from './device-health.ts';
import { recordEvents } from './record.ts';
import { deviceSubjects } from './subject.ts';

/** The built-in condition of a device that stays silent; also the alarm identifier of its events. */
export const inactivitySource = 'inactivity';

const hour = 3600;

/**
 * Not stated, chosen here. A device is late after four times its expected interval and lost after twelve times, but never before six and
 * twenty-four hours: a gateway that restarts or a storm must not turn a field red.
 */
const thresholds = { warning: { intervals: 4, least: 6 * hour }, error: { intervals: 12, least: 24 * hour } };

/** Lifecycles in which a device is expected to speak; a paused one is not (contract: Lifecycle). */
const expectedToSpeak: readonly number[] = [
  Modem_Lifecycle.INSTALLED,
  Modem_Lifecycle.PENDING_MAINTENANCE,
  Modem_Lifecycle.PENDING_REPLACEMENT,
];

/** A stretch in which no server listened, so that silence proves nothing. */
export interface Downtime {
  from: Date;
  to: Date;
}

/**
 * Raises, worsens or drops the inactivity condition of one organization's devices as of `now`, with an alarm event for each that became
 * late or lost. One query decides; only devices whose condition changes are touched.
 *
 * The expected interval is what the service level counts on, else the organization's default, else the device's own transmission interval,
 * else a day.
 */
export async function checkInactivity(
  tx: Tx,
  organization: string,
  now: Date,
  downtimes: readonly Downtime[],
): Promise<{ raised: number; dropped: number }> {
  const { warning, error } = builtInLevels(await healthLevels(tx, organization));
  const column = (value: (downtime: Downtime) => Date) =>
    sql.param(downtimes.map((downtime) => value(downtime).toISOString()));
  const { rows } = await tx.execute<{ number: string; wanted: string | null; silence: number }>(sql`
    with silent as (
      select d.number, d.lifecycle = any(${sql.param([...expectedToSpeak])}::int[]) as counts,
        coalesce(86400.0 / nullif(coalesce(d.expected_transmission_rate, o.expected_transmission_rate), 0),
          d.transmission_interval, 86400) as expected,
        extract(epoch from ${now.toISOString()}::timestamptz - d.last_message_received_at)::float8 - coalesce((
          select sum(greatest(0, extract(epoch from
            least(down.till, ${now.toISOString()}::timestamptz) - greatest(down.since, d.last_message_received_at))))
          from unnest(${column(({ from }) => from)}::timestamptz[], ${column(({ to }) => to)}::timestamptz[])
            as down (since, till)
        ), 0)::float8 as silence
      from device d join organization o on o.id = d.organization
      where d.organization = ${organization}
    ), judged as (
      select number, silence, case
        when not counts or silence is null then null
        when silence > greatest(${thresholds.error.least}, ${thresholds.error.intervals} * expected)
          then ${error?.level ?? null}::text
        when silence > greatest(${thresholds.warning.least}, ${thresholds.warning.intervals} * expected)
          then ${warning?.level ?? null}::text
        end as wanted
      from silent
    )
    select judged.number, judged.wanted, judged.silence
    from judged
    left join device_condition c
      on c.organization = ${organization} and c.number = judged.number and c.source = ${inactivitySource}
    where c.health_level is distinct from judged.wanted
    order by judged.number`);
  const raised = rows.filter(({ wanted }) => wanted !== null);
  const dropped = rows.filter(({ wanted }) => wanted === null).map(({ number }) => number);
  await endInactivity(tx, organization, dropped, now);
  if (raised.length > 0) {
    await tx.execute(sql`
      insert into device_condition (organization, number, source, health_level, since)
      select ${organization}, number, ${inactivitySource}, level, ${now.toISOString()}::timestamptz
      from unnest(${sql.param(raised.map(({ number }) => number))}::text[],
        ${sql.param(raised.map(({ wanted }) => wanted))}::text[]) as t (number, level)
      on conflict (organization, number, source) do update set health_level = excluded.health_level`);
  }
  const late = raised.map(({ number }) => number);
  await refreshHealth(tx, organization, late);
  const subjects = await deviceSubjects(tx, organization, late);
  const levels = [warning, error];
  const events = raised.flatMap(({ number, wanted, silence }) => {
    const subject = subjects.get(number);
    const healthLevel = levels.find((level) => level?.level === wanted);
    if (!subject || !healthLevel) return [];
    const errorMessage = `No message for ${durationText(Math.floor(silence / hour) * hour)}`;
    const alarmDescription = 'The device has been silent for longer than its expected interval allows.';
    return [alarmTriggered(subject, now, { alarm: inactivitySource, alarmDescription, errorMessage, healthLevel })];
  });
  await recordEvents(tx, events);
  return { raised: raised.length, dropped: dropped.length };
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
    where organization = ${organization} and source = ${inactivitySource}
      and number = any(${sql.param([...numbers])}::text[])
    returning number`);
  const back = rows.map(({ number }) => number);
  if (back.length === 0) return;
  const identifiers = back.map((number) => resolveIdentifier(inactivitySource, number));
  await tx.execute(sql`
    update event set resolved_at = ${now.toISOString()}::timestamptz
    where organization = ${organization} and resolved_at is null
      and resolve_identifier = any(${sql.param(identifiers)}::text[])`);
  await refreshHealth(tx, organization, back);
}
