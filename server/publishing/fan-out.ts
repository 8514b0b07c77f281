/** Puts events into the outbox of every publisher that is subscribed to them. */
import { and, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Tx } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { publisher } from '#server/db/schema/publisher.ts';
import type { NewEvent } from '#server/events/new-event.ts';
import { type EventFilters, publisherMatcher } from '#server/events/publisher-filters.ts';
import type { EventSink, RecordedEvent } from '#server/events/record.ts';

import { wakeWorkers } from './outbox.ts';

export interface Subscription {
  readonly publisher: number;
  readonly kind: string;
  accepts(event: NewEvent): boolean;
}

/** Subscribes a publisher to events, except those about its own failures: it would fail to deliver those too. */
export function subscription(filters: EventFilters & { id: number; kind: string }): Subscription {
  const matches = publisherMatcher(filters);
  return {
    publisher: filters.id,
    kind: filters.kind,
    accepts: (event) => !(event.publisher === filters.id && isAboutFailure(event.event.type)) && matches(event),
  };
}

function isAboutFailure(type: EventType): boolean {
  return type === EventType.PUBLISHER_FAILED || type === EventType.PUBLISHER_AUTO_DISABLED;
}

/**
 * Finds the enabled publishers of the given kinds in the organizations. A disabled publisher misses events until
 * enabled.
 */
export async function findSubscriptions(
  tx: Tx,
  organizations: readonly string[],
  kinds: readonly string[],
): Promise<Map<string, readonly Subscription[]>> {
  const rows = await tx
    .select({
      organization: publisher.organization,
      id: publisher.id,
      kind: publisher.kind,
      eventFilter: publisher.eventFilter,
      deviceFilter: publisher.deviceFilter,
      tagFilter: publisher.tagFilter,
      healthLevels: publisher.healthLevels,
      allLifecycles: publisher.allLifecycles,
    })
    .from(publisher)
    .where(
      and(anyOf(publisher.organization, organizations), anyOf(publisher.kind, kinds), eq(publisher.disabled, false)),
    )
    .prepare('subscriptions')
    .execute();
  return new Map(
    [...groupBy(rows, (row) => row.organization)].map(([organization, group]) => [
      organization,
      group.map(subscription),
    ]),
  );
}

/** Adds deliveries in the order of the events, per publisher. Wakes the worker when the transaction commits. */
async function enqueue(tx: Tx, recordedEvents: readonly RecordedEvent[], kinds: readonly string[]): Promise<void> {
  const subscribers = await findSubscriptions(
    tx,
    [...new Set(recordedEvents.map(({ event }) => event.organization))],
    kinds,
  );
  const deliveries = recordedEvents.flatMap(({ id: eventId, event }) =>
    (subscribers.get(event.organization) ?? [])
      .filter((subscription) => subscription.accepts(event))
      .map(({ publisher: id, kind }) => ({
        organization: event.organization,
        publisher: id,
        time: event.time,
        event: eventId,
        kind,
      })),
  );
  if (deliveries.length === 0) return;
  const column = <T>(value: (delivery: (typeof deliveries)[number]) => T) => sql.param(deliveries.map(value));
  // With ordinality, the outbox ids, and therefore the deliveries, follow the order of the events. Skips publishers
  // that were deleted after they were read.
  await executePrepared(
    tx,
    sql`
    insert into publisher_delivery (organization, publisher, id, event_time, event_id)
    select organization, publisher, nextval('publisher_delivery_id'), event_time, event_id
    from (
      select t.* from unnest(
        ${column(({ organization }) => organization)}::text[],
        ${column((delivery) => delivery.publisher)}::bigint[],
        ${column(({ time }) => time.toISOString())}::timestamptz[],
        ${column((delivery) => delivery.event)}::bigint[]
      ) with ordinality as t (organization, publisher, event_time, event_id, ordinal)
      join publisher p on p.organization = t.organization and p.id = t.publisher
      order by ordinal
      for key share of p
    ) as ordered`,
  );
  wakeWorkers(
    tx,
    deliveries.map(({ organization, publisher: id, kind }) => ({ organization, id, kind })),
  );
}

/**
 * Creates one delivery per event for publishers of the given kinds. Resolved events are delivered again, now with their
 * resolution.
 */
export function eventDeliveries(kinds: readonly string[]): EventSink {
  const deliver = (tx: Tx, recordedEvents: readonly RecordedEvent[]) => enqueue(tx, recordedEvents, kinds);
  return { onRecorded: deliver, onResolved: deliver };
}
