import { type SQL, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database, Tx } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { findExpiry } from '#server/events/event-health.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import type { EventSink } from '#server/events/record.ts';

/** The event types that affect a device's health directly. An alarm affects it through its own condition. */
const healthTypes: ReadonlySet<EventType> = new Set([EventType.MESSAGE_CANNOT_BE_PARSED]);

/** Returns the source of the condition that an event of the type creates. */
export const eventSource = (type: EventType): string => `event-${type}`;

/**
 * Serializes changes to health levels with changes to device health. Changing levels or their configuration requires an
 * exclusive lock, and setting the health of devices requires a shared lock. Take this lock before locking any device.
 */
export async function lockHealth(tx: Tx, organization: string, mode: 'exclusive' | 'shared'): Promise<void> {
  await executePrepared(tx, sql`select ${healthLock(organization, mode)}`);
}

/** Takes the lock of {@link lockHealth} as a part of a larger statement. */
export function healthLock(organization: string, mode: 'exclusive' | 'shared'): SQL {
  const lockFunction = sql.raw(mode === 'exclusive' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared');
  return sql`${lockFunction}(hashtext('quarterdeck.health'), hashtext(${organization}))`;
}

/**
 * Locks devices in number order, like every transaction that changes several devices.
 *
 * @returns the numbers of the devices that exist
 */
export async function lockDevices(tx: Tx, organization: string, numbers: readonly string[]): Promise<string[]> {
  const { rows } = await tx.execute<{ number: string }>(sql`
    select number from device where organization = ${organization} and number = any(${sql.param([...numbers])}::text[])
    order by number for update`);
  return rows.map(({ number }) => number);
}

/**
 * Sets the health of the devices to the most severe of their conditions, or to the organization's mildest level if they
 * have none (contract: Modem fields, EventService configuration).
 */
export async function refreshHealth(tx: Tx, organization: string, numbers: readonly string[]): Promise<void> {
  if (numbers.length === 0) return;
  const devices = sql.param([...numbers]);
  await tx.execute(sql`
    with ${worstLevels(organization, sql`and c.number = any(${devices}::text[])`)}, refreshed as (
      select listed.number, coalesce(worst.health_level, mildest.level) as health_level
      from unnest(${devices}::text[]) as listed (number) left join worst using (number) cross join mildest
    )
    update device d set health_level = refreshed.health_level
    from refreshed
    where d.organization = ${organization} and d.number = refreshed.number
      and d.health_level is distinct from refreshed.health_level`);
}

/** Refreshes every device of the organization after its levels change. Writes only the devices that change. */
export async function refreshAllHealth(tx: Tx, organization: string): Promise<void> {
  const { rows } = await tx.execute<{ number: string }>(sql`
    with ${worstLevels(organization, sql``)}
    select d.number from device d left join worst using (number) cross join mildest
    where d.organization = ${organization}
      and d.health_level is distinct from coalesce(worst.health_level, mildest.level)
    order by d.number for update of d`);
  await refreshHealth(
    tx,
    organization,
    rows.map(({ number }) => number),
  );
}

/** Selects the worst level among each device's conditions, and the mildest level, for devices without conditions. */
const worstLevels = (organization: string, condition: SQL): SQL => sql`
  worst as (
    select distinct on (c.number) c.number, c.health_level
    from device_condition c
    join health_level l on l.organization = c.organization and l.level = c.health_level
    where c.organization = ${organization} and not c.lapsed ${condition}
    order by c.number, l.severity desc
  ), mildest as (
    select level from health_level where organization = ${organization} order by severity, level limit 1
  )`;

/** Updates the health of devices from new events of types that affect it. The last event of a type counts. */
export async function applyEventHealth(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const effects = events.filter(({ event }) => healthTypes.has(event.type) && event.device && event.healthLevel);
  for (const [organization, organizationEvents] of groupBy(effects, (newEvent) => newEvent.organization)) {
    for (const [type, group] of groupBy(organizationEvents, ({ event }) => event.type)) {
      await recordConditions(tx, organization, type, group);
    }
  }
}

/** Handles only new events, because resolve-events.ts ends conditions. */
export const deviceHealthSink: EventSink = {
  onRecorded: (tx, stored) =>
    applyEventHealth(
      tx,
      stored.map(({ event }) => event),
    ),
};

async function recordConditions(
  tx: Tx,
  organization: string,
  type: EventType,
  events: readonly NewEvent[],
): Promise<void> {
  const last = new Map(events.map((newEvent) => [newEvent.event.device?.number ?? '', newEvent]));
  const numbers = await lockDevices(tx, organization, [...last.keys()]);
  const expiry = await findExpiry(tx, organization, type);
  const column = <T>(value: (event: NewEvent | undefined) => T) =>
    sql.param(numbers.map((number) => value(last.get(number))));
  await tx.execute(sql`
    insert into device_condition (organization, number, source, health_level, since, until)
    select ${organization}, number, ${eventSource(type)}, level, since, since + ${expiry ?? null}::int * interval '1 second'
    from unnest(
      ${sql.param(numbers)}::text[],
      ${column((newEvent) => newEvent?.event.healthLevel?.level)}::text[],
      ${column((newEvent) => newEvent?.time.toISOString())}::timestamptz[]
    ) as t (number, level, since)
    on conflict (organization, number, source) do update set health_level = excluded.health_level,
      since = excluded.since, until = excluded.until, lapsed = false`);
  await refreshHealth(tx, organization, numbers);
}

/** Ends the effect of every expired condition. Uses one transaction per organization. */
export async function expireHealth({ db, now }: { db: Database; now: () => Date }): Promise<void> {
  const expired = sql`not lapsed and until <= ${now().toISOString()}::timestamptz`;
  const { rows } = await db.orm.execute<{ organization: string }>(sql`
    select distinct organization from device_condition where ${expired} order by organization`);
  for (const { organization } of rows) {
    await db.transaction(async (tx) => {
      await lockHealth(tx, organization, 'shared');
      const { rows: dueDevices } = await tx.execute<{ number: string }>(sql`
        select distinct number from device_condition where organization = ${organization} and ${expired}`);
      const numbers = await lockDevices(
        tx,
        organization,
        dueDevices.map(({ number }) => number),
      );
      await tx.execute(sql`
        update device_condition set lapsed = true
        where organization = ${organization} and number = any(${sql.param(numbers)}::text[]) and ${expired}`);
      await refreshHealth(tx, organization, numbers);
    });
  }
}
