/** Ends what lasts until somebody resolves it by hand. */
import { toBinary } from '@bufbuild/protobuf';
import { and, asc, between, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { hiddenLifecycles, isHidden } from '#server/wire/lifecycles.ts';
import { IDS_PER_NOTICE } from '#server/events/channels.ts';
import { lockDevices, lockHealth, refreshHealth } from '#server/domains/signals/health-level/device-health.ts';
import { announceResolved } from '#server/events/record.ts';
import { conditionOf } from '#server/events/resolve-identifier.ts';
import { readEvents } from '#server/events/stored.ts';

/**
 * Resolves the unresolved events of the condition that can be resolved by hand, which have a resolve identifier. A
 * condition of a device stops counting once none of its events is left unresolved. The contract has no event for a
 * resolution: each resolved event passes streams and webhooks again, now with its resolution. Mails tell of new
 * events only.
 *
 * @returns how many events were resolved
 */
export async function resolveEvents(tx: Tx, organization: string, where: SQL | undefined, now: Date): Promise<number> {
  const open = and(
    eq(event.organization, organization),
    isNotNull(event.resolveIdentifier),
    isNull(event.resolvedAt),
    where,
  );
  await lockHealth(tx, organization, 'shared');
  // Devices before their events, as everybody locks them who does both.
  const about = await tx.selectDistinct({ number: event.number }).from(event).where(open);
  const numbers = about.flatMap(({ number }) => number ?? []);
  await lockDevices(tx, organization, numbers);
  const resolved = await tx
    .update(event)
    .set({ resolvedAt: now })
    .where(and(open, sql`(${event.number} is null or ${event.number} = any(${sql.param(numbers)}::text[]))`))
    .returning({ id: event.id, time: event.time, identifier: event.resolveIdentifier });
  const identifiers = [...new Set(resolved.flatMap(({ identifier }) => identifier ?? []))];
  await endConditions(tx, organization, numbers, await closed(tx, organization, identifiers));
  await tellResolved(tx, organization, resolved);
  return resolved.length;
}

/** Of the identifiers those without any unresolved event. */
async function closed(tx: Tx, organization: string, identifiers: readonly string[]): Promise<string[]> {
  const left = await tx
    .selectDistinct({ identifier: event.resolveIdentifier })
    .from(event)
    .where(
      and(
        eq(event.organization, organization),
        sql`${event.resolveIdentifier} = any(${sql.param([...identifiers])}::text[])`,
        isNull(event.resolvedAt),
      ),
    );
  return identifiers.filter((value) => !left.some(({ identifier }) => identifier === value));
}

async function endConditions(
  tx: Tx,
  organization: string,
  numbers: readonly string[],
  identifiers: readonly string[],
): Promise<void> {
  const keys = identifiers.flatMap((identifier) => conditionOf(identifier) ?? []);
  if (keys.length === 0) return;
  await tx.execute(sql`
    update device_condition c set lapsed = true
    from unnest(${sql.param(keys.map(({ source }) => source))}::text[],
      ${sql.param(keys.map(({ number }) => number))}::text[]) as t (source, number)
    where c.organization = ${organization} and c.number = t.number and c.source = t.source`);
  await refreshHealth(tx, organization, numbers);
}

async function tellResolved(
  tx: Tx,
  organization: string,
  resolved: readonly { id: number; time: Date }[],
): Promise<void> {
  const inOrder = [...resolved].sort((a, b) => a.time.getTime() - b.time.getTime() || a.id - b.id);
  for (let start = 0; start < inOrder.length; start += IDS_PER_NOTICE) {
    const part = inOrder.slice(start, start + IDS_PER_NOTICE);
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) return;
    const ids = sql.param(part.map(({ id }) => id));
    const where = and(
      eq(event.organization, organization),
      between(event.time, first.time, last.time),
      sql`${event.id} = any(${ids}::bigint[])`,
    );
    const page = { orderBy: [asc(event.time), asc(event.id)], limit: part.length, offset: 0 };
    const stored = await readEvents(tx, where, page);
    // Deliveries send the stored body as it is.
    await tx.execute(sql`
      update event e set body = t.body
      from unnest(${ids}::bigint[], ${sql.param(
        part.map(({ time }) => time.toISOString()),
      )}::timestamptz[]) as given (id, time)
      join unnest(${sql.param(stored.map(({ id }) => id))}::bigint[],
        ${sql.param(stored.map((storedEvent) => Buffer.from(toBinary(EventSchema, storedEvent.event))))}::bytea[]) as t (id, body)
        using (id)
      where e.organization = ${organization} and e.time = given.time and e.id = given.id`);
    await announceResolved(
      tx,
      stored.map(({ id, time, lifecycle, publisher, event: read }) => ({
        id,
        event: {
          organization,
          time,
          event: read,
          ...(publisher === null ? {} : { publisher }),
          ...(lifecycle !== null && isHidden(lifecycle) ? { hidden: true } : {}),
        },
      })),
    );
  }
}

/**
 * Whether there ever was something with this identifier: an event, resolved or not, or a condition whose event is past
 * retention. Devices in hidden lifecycles are there for those only who see them.
 */
export async function knowsIdentifier(
  tx: Tx,
  organization: string,
  identifier: string,
  allLifecycles: boolean,
): Promise<boolean> {
  const { source, number } = conditionOf(identifier) ?? { source: '', number: '' };
  const { rows } = await tx.execute<{ known: boolean }>(sql`
    select (
      exists (select from ${event} where ${event.organization} = ${organization}
        and ${event.resolveIdentifier} = ${identifier})
      or exists (select from device_condition where organization = ${organization} and number = ${number}
        and source = ${source})
    ) and (${allLifecycles} or not exists (select from ${device} where ${device.organization} = ${organization}
      and ${device.number} = ${number} and ${device.lifecycle} in ${[...hiddenLifecycles]})) as known`);
  return rows[0]?.known === true;
}

/** Ends the effect of the condition behind an identifier, also when its events are past retention. */
export async function resolveIdentified(tx: Tx, organization: string, identifier: string, now: Date): Promise<number> {
  const resolved = await resolveEvents(tx, organization, eq(event.resolveIdentifier, identifier), now);
  const condition = conditionOf(identifier);
  if (resolved === 0 && condition) await endConditions(tx, organization, [condition.number], [identifier]);
  return resolved;
}
