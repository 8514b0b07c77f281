import { toBinary } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';
import { EventSchema } from '#proto/hiber/event_pb';
import type { Tx } from '#server/db/database';
import { deliveryChannel, eventChannel, idsPerNotice } from './channels.ts';
import type { EventNotice } from './channels.ts';
import { applyEventHealth } from './device-health.ts';
import { subscriptions } from './fan-out.ts';
import { groupBy } from '../group-by.ts';
import { queueNotifications } from '../mail/notification/pending.ts';
import type { NewEvent } from './new-event.ts';

export interface StoredId {
  id: number;
  event: NewEvent;
}

/**
 * Stores events in the caller's transaction, puts a delivery into the outbox of every webhook that wants one, notes them
 * for people who are mailed, and wakes streams and delivery when the transaction commits. Order is kept: per webhook, deliveries follow the order of
 * `events`.
 *
 * A constant number of statements, however many events: 5,000 device updates are one call.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const stored = await store(tx, events);
  await queueNotifications(tx, events);
  await announce(tx, stored);
  await applyEventHealth(tx, events);
}

/** Hands stored events to the webhooks that want them, and wakes streams and delivery when the transaction commits. */
export async function announce(tx: Tx, stored: readonly StoredId[]): Promise<void> {
  const delivered = await enqueue(tx, stored);
  await notify(tx, stored, delivered);
}

async function store(tx: Tx, events: readonly NewEvent[]): Promise<StoredId[]> {
  const ids = await tx.execute<{ id: string }>(
    sql`select nextval('event_id')::text as id from generate_series(1, ${events.length})`,
  );
  const stored = events.map((event, index) => ({ id: Number(ids.rows[index]?.id), event }));
  const column = <T>(value: (entry: StoredId) => T) => sql.param(stored.map(value));
  // Arrays of arrays do not unnest, so tags travel as array literals.
  await tx.execute(sql`
    insert into event (organization, time, id, type, number, publisher, tags, health_level, title, description,
      resolve_identifier, resolved_at, body)
    select organization, time, id, type, number, publisher, tags::bigint[], health_level, title, description,
      resolve_identifier, resolved_at, body
    from unnest(
      ${column(({ event }) => event.organization)}::text[],
      ${column(({ event }) => event.time.toISOString())}::timestamptz[],
      ${column(({ id }) => id)}::bigint[],
      ${column(({ event }) => event.event.type)}::smallint[],
      ${column(({ event }) => event.event.device?.number ?? null)}::text[],
      ${column(({ event }) => event.publisher ?? null)}::bigint[],
      ${column(({ event }) => `{${event.event.tags.map((tag) => tag.id).join(',')}}`)}::text[],
      ${column(({ event }) => event.event.healthLevel?.level ?? null)}::text[],
      ${column(({ event }) => event.event.title)}::text[],
      ${column(({ event }) => event.event.description)}::text[],
      ${column(({ event }) => event.resolveIdentifier ?? null)}::text[],
      ${column(({ event }) => (event.resolved ? event.time.toISOString() : null))}::timestamptz[],
      ${column(({ event }) => Buffer.from(toBinary(EventSchema, event.event)))}::bytea[]
    ) as t (organization, time, id, type, number, publisher, tags, health_level, title, description,
      resolve_identifier, resolved_at, body)`);
  return stored;
}

/** @returns whether there is anything to deliver */
async function enqueue(tx: Tx, stored: readonly StoredId[]): Promise<boolean> {
  const wanted = await subscriptions(tx, [...new Set(stored.map(({ event }) => event.organization))]);
  const deliveries = stored.flatMap(({ id, event }) =>
    (wanted.get(event.organization) ?? [])
      .filter((subscription) => subscription.wants(event))
      .map(({ webhook }) => ({ organization: event.organization, webhook, time: event.time, id })),
  );
  if (deliveries.length === 0) return false;
  const column = <T>(value: (delivery: (typeof deliveries)[number]) => T) => sql.param(deliveries.map(value));
  // Ordinality makes the ids of the outbox, and with them the order of delivery, follow the order of the events. A webhook
  // that was deleted since it was read is passed over.
  await tx.execute(sql`
    insert into webhook_delivery (organization, webhook, id, event_time, event_id)
    select organization, webhook, nextval('webhook_delivery_id'), event_time, event_id
    from (
      select t.* from unnest(
        ${column(({ organization }) => organization)}::text[],
        ${column(({ webhook }) => webhook)}::bigint[],
        ${column(({ time }) => time.toISOString())}::timestamptz[],
        ${column(({ id }) => id)}::bigint[]
      ) with ordinality as t (organization, webhook, event_time, event_id, place)
      join webhook w on w.organization = t.organization and w.id = t.webhook
      order by place
      for key share of w
    ) as ordered`);
  return true;
}

/** Events that were resolved may be weeks apart: one notice for them would make its readers search all that time. */
const longestSpan = 3_600_000;

/** Cut where a notice would be too large, or reach over too long a time. */
function parts(stored: readonly StoredId[]): StoredId[][] {
  const cut: StoredId[][] = [];
  for (const each of stored) {
    const part = cut.at(-1);
    const first = part?.[0];
    const near = first && Math.abs(each.event.time.getTime() - first.event.time.getTime()) <= longestSpan;
    if (part && near && part.length < idsPerNotice) part.push(each);
    else cut.push([each]);
  }
  return cut;
}

async function notify(tx: Tx, stored: readonly StoredId[], delivered: boolean): Promise<void> {
  const payloads: string[] = [];
  for (const [organization, group] of groupBy(stored, ({ event }) => event.organization)) {
    for (const part of parts(group)) {
      const times = part.map(({ event }) => event.time.getTime());
      const notice: EventNotice = {
        organization,
        from: Math.min(...times),
        to: Math.max(...times),
        ids: part.map(({ id }) => id),
      };
      payloads.push(JSON.stringify(notice));
    }
  }
  await tx.execute(
    sql`select pg_notify(${eventChannel}, payload) from unnest(${sql.param(payloads)}::text[]) as payload`,
  );
  if (delivered) await tx.execute(sql`select pg_notify(${deliveryChannel}, '')`);
}
