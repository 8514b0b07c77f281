import { toBinary } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Tx } from '#server/db/database.ts';
import { ascendingIds } from '#server/db/ids.ts';
import { notifyOnCommit } from '#server/db/notify.ts';
import { executePrepared } from '#server/db/prepared.ts';

import { EVENT_CHANNEL, type EventNotice, IDS_PER_NOTICE } from './channels.ts';
import type { NewEvent } from './new-event.ts';

export interface RecordedEvent {
  readonly id: number;
  readonly event: NewEvent;
}

/** Handles events in the transaction that records them, for publishers, emails, and device health. */
export interface EventSink {
  /** Handles all events from one `recordEvents` call, in order, with a constant number of statements. */
  onRecorded(tx: Tx, stored: readonly RecordedEvent[]): Promise<void>;
  /** Handles events again when they're resolved. Omitted by sinks that handle only new events. */
  onResolved?(tx: Tx, stored: readonly RecordedEvent[]): Promise<void>;
}

let sinks: readonly EventSink[] = [];

/** Sets the sinks, which are called in the given order. Call this once per process, before recording any event. */
export function connectSinks(newSinks: readonly EventSink[]): void {
  sinks = newSinks;
}

/**
 * Returns the connected sinks. Throws if there are none, because every publisher would miss the events. The cause would
 * be a bug in the startup of this process.
 */
function connectedSinks(): readonly EventSink[] {
  if (sinks.length === 0) throw new Error("Events can't be recorded before their sinks are connected.");
  return sinks;
}

/**
 * Stores events in the caller's transaction, passes them to every sink, and wakes streams when the transaction commits.
 * Keeps the order of the events.
 *
 * Uses a constant number of statements for any number of events. A single call can record 5,000 device updates.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const recordedEvents = await store(tx, events);
  for (const sink of connectedSinks()) await sink.onRecorded(tx, recordedEvents);
  notify(tx, recordedEvents);
}

/** Passes stored events that have been resolved to the sinks that handle resolved events, and wakes streams. */
export async function announceResolved(tx: Tx, recordedEvents: readonly RecordedEvent[]): Promise<void> {
  for (const sink of connectedSinks()) await sink.onResolved?.(tx, recordedEvents);
  notify(tx, recordedEvents);
}

async function store(tx: Tx, events: readonly NewEvent[]): Promise<RecordedEvent[]> {
  const column = <T>(value: (newEvent: NewEvent) => T) => sql.param(events.map(value));
  // Arrays of arrays can't be unnested, so pass tags as array literals.
  const { rows } = await executePrepared<{ id: number }>(
    tx,
    sql`
    insert into event (organization, time, id, type, number, publisher, tags, health_level, title, description,
      resolve_identifier, resolved_at, body)
    select organization, time, nextval('event_id'), type, number, publisher, tags::bigint[], health_level, title,
      description, resolve_identifier, resolved_at, body
    from (select * from unnest(
      ${column((newEvent) => newEvent.organization)}::text[],
      ${column((newEvent) => newEvent.time.toISOString())}::timestamptz[],
      ${column((newEvent) => newEvent.event.type)}::smallint[],
      ${column((newEvent) => newEvent.event.device?.number ?? null)}::text[],
      ${column((newEvent) => newEvent.publisher ?? null)}::bigint[],
      ${column((newEvent) => `{${newEvent.event.tags.map((tag) => tag.id).join(',')}}`)}::text[],
      ${column((newEvent) => newEvent.event.healthLevel?.level ?? null)}::text[],
      ${column((newEvent) => newEvent.event.title)}::text[],
      ${column((newEvent) => newEvent.event.description)}::text[],
      ${column((newEvent) => newEvent.resolveIdentifier ?? null)}::text[],
      ${column((newEvent) => (newEvent.resolved ? newEvent.time.toISOString() : null))}::timestamptz[],
      ${column((newEvent) => Buffer.from(toBinary(EventSchema, newEvent.event)))}::bytea[]
    ) with ordinality as t (organization, time, type, number, publisher, tags, health_level, title, description,
      resolve_identifier, resolved_at, body, ordinal)
    order by ordinal) as ordered
    returning id`,
  );
  const ids = ascendingIds(rows);
  return events.map((event, index) => ({ id: ids[index] ?? 0, event }));
}

/** Resolved events can be weeks apart. With a single notice, readers would have to search all the weeks in between. */
const MAX_SPAN_MS = 3_600_000;

/** Splits events into notices of limited size and time span. */
function splitForNotices(recordedEvents: readonly RecordedEvent[]): RecordedEvent[][] {
  const parts: RecordedEvent[][] = [];
  for (const recordedEvent of recordedEvents) {
    const part = parts.at(-1);
    const first = part?.[0];
    const isNear = first && Math.abs(recordedEvent.event.time.getTime() - first.event.time.getTime()) <= MAX_SPAN_MS;
    if (part && isNear && part.length < IDS_PER_NOTICE) part.push(recordedEvent);
    else parts.push([recordedEvent]);
  }
  return parts;
}

function notify(tx: Tx, recordedEvents: readonly RecordedEvent[]): void {
  const payloads: string[] = [];
  for (const [organization, group] of groupBy(recordedEvents, ({ event }) => event.organization)) {
    for (const part of splitForNotices(group)) {
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
  notifyOnCommit(tx, EVENT_CHANNEL, payloads);
}
