import { create } from '@bufbuild/protobuf';
import { asc, desc, sql, type SQL } from 'drizzle-orm';

import type { BundledEvent, ListEventsRequest_Response_EventTypeResponse } from '#proto/gen/hiber/event_service_pb.ts';
import {
  BundledEventSchema,
  ListEventsRequest_Response_EventTypeResponseSchema,
  ListEventsRequest_Sort,
} from '#proto/gen/hiber/event_service_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { countApproximately } from '#server/db/approximate-total.ts';
import type { Database, Executor } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { type EventFilter, eventWhere } from '#server/events/filter.ts';
import { readEvents } from '#server/events/stored.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import { type Page, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** The count in a bundle is exact up to this many events, and approximate beyond that. */
const MAX_EXACT_COUNT = 10_000;

/** Turns 'MESSAGE_RECEIVED' into 'Message received'. */
function typeTitle(type: EventType): string {
  const name = (eventTypeName(type) ?? `TYPE_${type}`).toLowerCase().replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Counts the events by type, starting with the type of the newest event. Omits types that have no events. */
export async function listBundles(db: Database, organization: string, filter: EventFilter): Promise<BundledEvent[]> {
  if (filter.types.length === 0) return [];
  const { rows } = await countByType(db, organization, filter);
  return rows.map(({ type, amount, last }) =>
    create(BundledEventSchema, {
      type,
      title: typeTitle(type),
      ...deprecatedAmount(amount, new Date(last)),
      description:
        amount === 1
          ? 'Happened once.'
          : `Happened ${amount > MAX_EXACT_COUNT ? 'more than ' : ''}${Math.min(amount, MAX_EXACT_COUNT)} times.`,
      amount:
        amount > MAX_EXACT_COUNT
          ? { case: 'approximatedAmount', value: { amount: MAX_EXACT_COUNT } }
          : { case: 'exactAmount', value: { amount, lastEvent: presentTimestamp(new Date(last)) } },
    }),
  );
}

/**
 * Counts the newest events of each type with the index by type. The planner would rather scan a partition for each of
 * the types as long as it has only a few thousand events.
 */
const countByType = (db: Database, organization: string, filter: EventFilter) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    return tx.execute<{ type: EventType; amount: number; last: string | Date }>(sql`
      select requested.type, bundle.amount, bundle.last
      from unnest(${sql.param([...filter.types])}::smallint[]) as requested (type)
      cross join lateral (
        select count(*)::int as amount, max(time) as last from (
          select ${event.time} as time from ${event}
          where ${eventWhere(organization, filter)} and ${event.type} = requested.type
          order by ${event.time} desc limit ${MAX_EXACT_COUNT + 1}
        ) as newest
      ) as bundle
      where bundle.amount > 0 order by bundle.last desc, requested.type`);
  });

/** Returns the amount in the fields that older clients read. */
const deprecatedAmount = (amount: number, last: Date) => ({
  deprecatedAmount: Math.min(amount, MAX_EXACT_COUNT),
  deprecatedLastEvent: presentTimestamp(last),
  deprecatedApproximatedAmount: amount > MAX_EXACT_COUNT,
});

/** Returns the sort order. The id comes last, which keeps pagination stable. */
function sortOrder(sort: ListEventsRequest_Sort, filter: EventFilter): SQL[] {
  const newest = [desc(event.time), desc(event.id)];
  switch (sort) {
    case ListEventsRequest_Sort.TIME_ASCENDING:
      return [asc(event.time), asc(event.id)];
    case ListEventsRequest_Sort.DEVICE_NUMBER_ASC:
      return [sql`${event.number} asc nulls last`, ...newest];
    case ListEventsRequest_Sort.DEVICE_NUMBER_DESC:
      return [sql`${event.number} desc nulls last`, ...newest];
    case ListEventsRequest_Sort.DEVICE_NUMBER_SPECIFIED:
      // Follow the order of the filter. Devices that the filter doesn't name come last (not specified in the contract).
      return [
        sql`array_position(${sql.param([...filter.devices.include])}::text[], ${event.number}::text) asc nulls last`,
        ...newest,
      ];
    default:
      return newest;
  }
}

/** Lists individual events by type, with the same page for each type. Omits types that have no events. */
export async function listUnbundled(
  db: Database,
  organization: string,
  filter: EventFilter,
  page: Page,
  sort: ListEventsRequest_Sort,
): Promise<ListEventsRequest_Response_EventTypeResponse[]> {
  const types = (await listBundles(db, organization, filter)).map(({ type }) => type);
  const responses: ListEventsRequest_Response_EventTypeResponse[] = [];
  for (const type of types) {
    const typeFilter = { ...filter, types: [type] };
    const { events, pagination } = await listTimeline(db.orm, organization, typeFilter, page, sortOrder(sort, filter));
    responses.push(
      create(ListEventsRequest_Response_EventTypeResponseSchema, { type, unbundledEvents: events, pagination }),
    );
  }
  return responses;
}

/** Lists a page of individual events, newest first by default. */
export async function listTimeline(
  db: Executor,
  organization: string,
  filter: EventFilter,
  page: Page,
  orderBy: SQL[] = [desc(event.time), desc(event.id)],
) {
  const where = eventWhere(organization, filter);
  const storedEvents = await readEvents(db, where, { orderBy, limit: page.limit, offset: page.offset });
  const { total, approximated } = await countApproximately(db, sql`${event} where ${where}`, page, storedEvents.length);
  return {
    events: storedEvents.map((entry) => entry.event),
    pagination: paginationResult(page, total, approximated),
  };
}
