import { create } from '@bufbuild/protobuf';
import { asc, desc, sql, type SQL } from 'drizzle-orm';
import type { BundledEvent, ListEventsRequest_Response_EventTypeResponse } from '#proto/gen/hiber/event_service_pb.ts';
import {
  BundledEventSchema,
  ListEventsRequest_Response_EventTypeResponseSchema,
  ListEventsRequest_Sort,
} from '#proto/gen/hiber/event_service_pb.ts';
import type { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { event } from '#server/db/schema/event.ts';
import { type EventFilter, eventWhere } from '#server/events/filter.ts';
import { readEvents } from '#server/events/stored.ts';
import { eventTypeName } from '#server/events/visibility.ts';
import { approximateTotal } from '#server/db/approximate-total.ts';
import { type Page, paginationResult } from '#server/wire/pagination.ts';
import { presentTimestamp } from '#server/wire/present.ts';

/** Events of one type up to which a bundle counts exactly. */
const COUNTED_OUT = 10_000;

/** 'MESSAGE_RECEIVED' is 'Message received'. */
function typeTitle(type: EventType): string {
  const words = (eventTypeName(type) ?? `TYPE_${type}`).toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Per type that occurs how often, most recent type first. */
export async function bundles(db: Executor, organization: string, filter: EventFilter): Promise<BundledEvent[]> {
  if (filter.types.length === 0) return [];
  // A bounded look per type, along the index by type, instead of one look at everything.
  const { rows } = await db.execute<{ type: EventType; amount: number; last: string | Date }>(sql`
    select wanted.type, found.amount, found.last
    from unnest(${sql.param([...filter.types])}::smallint[]) as wanted (type)
    cross join lateral (
      select count(*)::int as amount, max(time) as last from (
        select ${event.time} as time from ${event}
        where ${eventWhere(organization, filter)} and ${event.type} = wanted.type
        order by ${event.time} desc limit ${COUNTED_OUT + 1}
      ) as newest
    ) as found
    where found.amount > 0 order by found.last desc, wanted.type`);
  return rows.map(({ type, amount, last }) =>
    create(BundledEventSchema, {
      type,
      title: typeTitle(type),
      ...deprecatedAmount(amount, new Date(last)),
      description:
        amount === 1
          ? 'Happened once.'
          : `Happened ${amount > COUNTED_OUT ? 'more than ' : ''}${Math.min(amount, COUNTED_OUT)} times.`,
      amount:
        amount > COUNTED_OUT
          ? { case: 'approximatedAmount', value: { amount: COUNTED_OUT } }
          : { case: 'exactAmount', value: { amount, lastEvent: presentTimestamp(new Date(last)) } },
    }),
  );
}

/** The amount as older clients read it. */
const deprecatedAmount = (amount: number, last: Date) => ({
  deprecatedAmount: Math.min(amount, COUNTED_OUT),
  deprecatedLastEvent: presentTimestamp(last),
  deprecatedApproximatedAmount: amount > COUNTED_OUT,
});

/** The id last, so that pages are stable. */
function orderOf(sort: ListEventsRequest_Sort, filter: EventFilter): SQL[] {
  const newest = [desc(event.time), desc(event.id)];
  switch (sort) {
    case ListEventsRequest_Sort.TIME_ASCENDING:
      return [asc(event.time), asc(event.id)];
    case ListEventsRequest_Sort.DEVICE_NUMBER_ASC:
      return [sql`${event.number} asc nulls last`, ...newest];
    case ListEventsRequest_Sort.DEVICE_NUMBER_DESC:
      return [sql`${event.number} desc nulls last`, ...newest];
    case ListEventsRequest_Sort.DEVICE_NUMBER_SPECIFIED:
      // The order given in the filter; devices that it does not name come last (not stated).
      return [
        sql`array_position(${sql.param([...filter.devices.include])}::text[], ${event.number}::text) asc nulls last`,
        ...newest,
      ];
    default:
      return newest;
  }
}

/** Real events, per type, each type with the same page of its own; types that do not occur are left out. */
export async function unbundled(
  db: Executor,
  organization: string,
  filter: EventFilter,
  page: Page,
  sort: ListEventsRequest_Sort,
): Promise<ListEventsRequest_Response_EventTypeResponse[]> {
  const types = (await bundles(db, organization, filter)).map(({ type }) => type);
  const responses: ListEventsRequest_Response_EventTypeResponse[] = [];
  for (const type of types) {
    const ofType = { ...filter, types: [type] };
    const { events, pagination } = await timeline(db, organization, ofType, page, orderOf(sort, filter));
    responses.push(
      create(ListEventsRequest_Response_EventTypeResponseSchema, { type, unbundledEvents: events, pagination }),
    );
  }
  return responses;
}

/** One page of real events, newest first unless told otherwise. */
export async function timeline(
  db: Executor,
  organization: string,
  filter: EventFilter,
  page: Page,
  orderBy: SQL[] = [desc(event.time), desc(event.id)],
) {
  const where = eventWhere(organization, filter);
  const stored = await readEvents(db, where, { orderBy, limit: page.limit, offset: page.offset });
  const { total, approximated } = await approximateTotal(db, sql`${event} where ${where}`, page, stored.length);
  return {
    events: stored.map((entry) => entry.event),
    pagination: paginationResult(page, total, approximated),
  };
}
