/** Ends conditions that last until someone resolves them manually. */
import { toBinary } from '@bufbuild/protobuf';
import { and, asc, between, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { lockDevices, lockHealth, refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { IDS_PER_NOTICE } from '#server/events/channels.ts';
import { announceResolved } from '#server/events/record.ts';
import { parseResolveIdentifier } from '#server/events/resolve-identifier.ts';
import { readEvents } from '#server/events/stored.ts';
import { hiddenLifecycles, isHidden } from '#server/wire/lifecycles.ts';

/**
 * Resolves the selected unresolved events that have a resolve identifier. A device's condition ends when all of its
 * events are resolved. The contract has no event for a resolution, so streams and webhooks get each resolved event
 * again, with its resolution. Emails cover only new events.
 *
 * @returns the number of resolved events
 */
export async function resolveEvents(tx: Tx, organization: string, where: SQL | undefined, now: Date): Promise<number> {
  const openEvents = and(
    eq(event.organization, organization),
    isNotNull(event.resolveIdentifier),
    isNull(event.resolvedAt),
    where,
  );
  await lockHealth(tx, organization, 'shared');
  // Lock devices before their events, as every transaction does.
  const affectedDevices = await tx.selectDistinct({ number: event.number }).from(event).where(openEvents);
  const numbers = affectedDevices.flatMap(({ number }) => number ?? []);
  await lockDevices(tx, organization, numbers);
  const resolvedEvents = await tx
    .update(event)
    .set({ resolvedAt: now })
    .where(and(openEvents, sql`(${event.number} is null or ${event.number} = any(${sql.param(numbers)}::text[]))`))
    .returning({ id: event.id, time: event.time, identifier: event.resolveIdentifier });
  const identifiers = [...new Set(resolvedEvents.flatMap(({ identifier }) => identifier ?? []))];
  await endConditions(tx, organization, numbers, await filterFullyResolved(tx, organization, identifiers));
  await announceResolvedEvents(tx, organization, resolvedEvents);
  return resolvedEvents.length;
}

/** Returns the identifiers that have no unresolved events. */
async function filterFullyResolved(tx: Tx, organization: string, identifiers: readonly string[]): Promise<string[]> {
  const unresolvedRows = await tx
    .selectDistinct({ identifier: event.resolveIdentifier })
    .from(event)
    .where(
      and(
        eq(event.organization, organization),
        sql`${event.resolveIdentifier} = any(${sql.param([...identifiers])}::text[])`,
        isNull(event.resolvedAt),
      ),
    );
  return identifiers.filter((value) => !unresolvedRows.some(({ identifier }) => identifier === value));
}

async function endConditions(
  tx: Tx,
  organization: string,
  numbers: readonly string[],
  identifiers: readonly string[],
): Promise<void> {
  const conditions = identifiers.flatMap((identifier) => parseResolveIdentifier(identifier) ?? []);
  if (conditions.length === 0) return;
  await tx.execute(sql`
    update device_condition c set lapsed = true
    from unnest(${sql.param(conditions.map(({ source }) => source))}::text[],
      ${sql.param(conditions.map(({ number }) => number))}::text[]) as t (source, number)
    where c.organization = ${organization} and c.number = t.number and c.source = t.source`);
  await refreshHealth(tx, organization, numbers);
}

async function announceResolvedEvents(
  tx: Tx,
  organization: string,
  resolved: readonly { id: number; time: Date }[],
): Promise<void> {
  const sortedEvents = [...resolved].sort((a, b) => a.time.getTime() - b.time.getTime() || a.id - b.id);
  for (let start = 0; start < sortedEvents.length; start += IDS_PER_NOTICE) {
    const batch = sortedEvents.slice(start, start + IDS_PER_NOTICE);
    const [first, last] = [batch[0], batch.at(-1)];
    if (!first || !last) return;
    const ids = sql.param(batch.map(({ id }) => id));
    const where = and(
      eq(event.organization, organization),
      between(event.time, first.time, last.time),
      sql`${event.id} = any(${ids}::bigint[])`,
    );
    const page = { orderBy: [asc(event.time), asc(event.id)], limit: batch.length, offset: 0 };
    const storedEvents = await readEvents(tx, where, page);
    // Deliveries send the stored body unchanged, so it must include the resolution.
    await tx.execute(sql`
      update event e set body = t.body
      from unnest(${ids}::bigint[], ${sql.param(
        batch.map(({ time }) => time.toISOString()),
      )}::timestamptz[]) as key (id, time)
      join unnest(${sql.param(storedEvents.map(({ id }) => id))}::bigint[],
        ${sql.param(storedEvents.map((storedEvent) => Buffer.from(toBinary(EventSchema, storedEvent.event))))}::bytea[]) as t (id, body)
        using (id)
      where e.organization = ${organization} and e.time = key.time and e.id = key.id`);
    await announceResolved(
      tx,
      storedEvents.map(({ id, time, lifecycle, publisher, event: content }) => ({
        id,
        event: {
          organization,
          time,
          event: content,
          ...(publisher === null ? {} : { publisher }),
          ...(lifecycle !== null && isHidden(lifecycle) ? { hidden: true } : {}),
        },
      })),
    );
  }
}

/**
 * Checks whether the identifier belongs to an event, resolved or not, or to a condition. A condition can outlast the
 * retention of its event. Devices in hidden lifecycles count only for callers who can see them.
 */
export async function identifierExists(
  tx: Tx,
  organization: string,
  identifier: string,
  allLifecycles: boolean,
): Promise<boolean> {
  const { source, number } = parseResolveIdentifier(identifier) ?? { source: '', number: '' };
  const { rows } = await tx.execute<{ found: boolean }>(sql`
    select (
      exists (select from ${event} where ${event.organization} = ${organization}
        and ${event.resolveIdentifier} = ${identifier})
      or exists (select from device_condition where organization = ${organization} and number = ${number}
        and source = ${source})
    ) and (${allLifecycles} or not exists (select from ${device} where ${device.organization} = ${organization}
      and ${device.number} = ${number} and ${device.lifecycle} in ${[...hiddenLifecycles]})) as found`);
  return rows[0]?.found === true;
}

/** Ends the effect of the condition behind an identifier, even if its events are past retention. */
export async function resolveByIdentifier(
  tx: Tx,
  organization: string,
  identifier: string,
  now: Date,
): Promise<number> {
  const resolvedEvents = await resolveEvents(tx, organization, eq(event.resolveIdentifier, identifier), now);
  const condition = parseResolveIdentifier(identifier);
  if (resolvedEvents === 0 && condition) await endConditions(tx, organization, [condition.number], [identifier]);
  return resolvedEvents;
}
