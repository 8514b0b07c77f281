import { fromBinary, toJson } from '@bufbuild/protobuf';
import { sql } from 'drizzle-orm';

import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import type { Database } from '#server/db/database.ts';

import type { Kind, Ledger } from './ledger.ts';
import { receiverNames, type Receivers } from './receivers.ts';

/** The kinds of writes that are delivered to webhooks, with the types of their events. */
const ANNOUNCEMENTS: readonly (readonly [Kind, EventType])[] = [
  ['message', EventType.MESSAGE_RECEIVED],
  ['notes', EventType.DEVICE_UPDATED],
  ['webhook', EventType.PUBLISHER_CREATED],
];
export const announcedTypes: readonly EventType[] = ANNOUNCEMENTS.map(([, type]) => type);

/** Queries for the rows with a marker. A device keeps only its last notes, so notes are looked up in events. */
const markerQueries: readonly (readonly [Kind, string])[] = [
  ['message', `select metadata ->> 'marker' as marker from message where metadata ? 'marker'`],
  ['webhook', `select description as marker from webhook where description like 'torture-%'`],
  ['tag', `select name as marker from tag where name like 'torture-%'`],
  ['token', `select name as marker from token where name like 'torture-%'`],
];

const markerIn = (text: string, kind: Kind): string | undefined => new RegExp(`torture-${kind}-\\d+`).exec(text)?.[0];

interface StoredEvent {
  readonly id: number;
  readonly device: string;
  readonly kind: Kind;
  readonly marker: string;
}

/** Checks the database of the stopped servers against the acknowledged writes and the deliveries. */
export async function verify(
  database: Database,
  ledger: Ledger,
  receivers: Receivers,
): Promise<{ losses: string[]; events: number }> {
  const events = await readStoredEvents(database);
  const losses = [
    ...(await findLostWrites(database, ledger, events)),
    ...findLostDeliveries(events, receivers, database.kind === 'pglite'),
    ...(await findStuckWork(database)),
    ...(await findDamage(database)),
  ];
  return { losses, events: events.length };
}

async function readStoredEvents(database: Database): Promise<StoredEvent[]> {
  const { rows } = await database.orm.execute<{ id: number; type: number; number: string | null; body: Uint8Array }>(
    sql`select id, type, number, body from event where type = any(${sql.param([...announcedTypes])}::smallint[]) order by id`,
  );
  return rows.flatMap(({ id, type, number, body }) => {
    const kind = ANNOUNCEMENTS.find(([, value]) => Number(value) === type)?.[0];
    const json = JSON.stringify(toJson(EventSchema, fromBinary(EventSchema, new Uint8Array(body))));
    const marker = kind && markerIn(json, kind);
    return kind && marker ? [{ id, device: number ?? '', kind, marker }] : [];
  });
}

async function findLostWrites(database: Database, ledger: Ledger, events: readonly StoredEvent[]): Promise<string[]> {
  const losses: string[] = [];
  const markersWithEvent = (kind: Kind) =>
    new Set(events.filter((event) => event.kind === kind).map(({ marker }) => marker));
  for (const [kind, query] of markerQueries) {
    const markers = (await database.pool.query<{ marker: string }>(query)).rows.map(({ marker }) => marker);
    const storedMarkers = new Set(markers);
    for (const marker of ledger.acknowledgedMarkers(kind))
      if (!storedMarkers.has(marker)) losses.push(`${marker} is lost`);
    if (markers.length !== storedMarkers.size)
      losses.push(`${markers.length - storedMarkers.size} ${kind} writes are stored twice`);
    if (!ANNOUNCEMENTS.some(([value]) => value === kind)) continue;
    const withEvent = markersWithEvent(kind);
    for (const marker of storedMarkers) if (!withEvent.has(marker)) losses.push(`${marker} has no event`);
    for (const marker of withEvent)
      if (!storedMarkers.has(marker)) losses.push(`${marker} has an event but is missing`);
  }
  const notes = markersWithEvent('notes');
  for (const marker of ledger.acknowledgedMarkers('notes'))
    if (!notes.has(marker)) losses.push(`${marker} has no event`);
  return losses;
}

/**
 * Checks that each event arrived at each receiver, with first arrivals in the order of events. Writers to the same
 * device wait for each other, so a device's events are always in order. Events from different devices are in order only
 * on the embedded database, which runs one transaction at a time.
 */
function findLostDeliveries(events: readonly StoredEvent[], receivers: Receivers, areInSequence: boolean): string[] {
  const losses: string[] = [];
  const eventsByMarker = new Map(events.map((event) => [event.marker, event]));
  for (const name of receiverNames) {
    const arrivedMarkers = new Set<string>();
    const lastEvents = new Map<string, StoredEvent>();
    for (const body of receivers.firstArrivals(name).values()) {
      const marker = ANNOUNCEMENTS.map(([kind]) => markerIn(body, kind)).find((value) => value !== undefined);
      if (marker === undefined) continue; // an event about the creation of the receivers' webhooks
      const event = eventsByMarker.get(marker);
      if (event === undefined || arrivedMarkers.has(event.marker)) {
        losses.push(`${name} received an event that is not stored, or received it twice: ${body.slice(0, 200)}`);
        continue;
      }
      arrivedMarkers.add(event.marker);
      const sequence = areInSequence ? '' : event.device;
      const previousEvent = lastEvents.get(sequence);
      if ((areInSequence || event.device !== '') && previousEvent !== undefined && previousEvent.id > event.id) {
        losses.push(`${name} received ${event.marker} after ${previousEvent.marker}`);
      }
      lastEvents.set(sequence, event);
    }
    for (const { marker } of events) if (!arrivedMarkers.has(marker)) losses.push(`${name} never received ${marker}`);
  }
  return losses;
}

async function findStuckWork(database: Database): Promise<string[]> {
  const { rows: leftovers } = await database.pool.query<{ problem: string }>(`
    select 'a delivery to ' || url || ' is still waiting' as problem
      from publisher_delivery join webhook w on w.organization = publisher_delivery.organization and w.id = publisher
      join publisher p on p.organization = w.organization and p.id = w.id and not p.disabled
    union all
    select 'the lease of ' || url || ' is held until ' || lease_until
      from webhook join publisher using (organization, id) where lease_until > clock_timestamp() + interval '1 minute'`);
  return leftovers.map(({ problem }) => problem);
}

/** Reads every row and compares each table with its indexes. */
async function findDamage(database: Database): Promise<string[]> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and nspname = 'public'`,
  );
  const losses: string[] = [];
  for (const { name } of tables) {
    const count = async (scan: 'seqscan' | 'indexscan') =>
      database.transaction(async (tx) => {
        await tx.execute(sql.raw(`set local enable_seqscan = ${scan === 'seqscan' ? 'on' : 'off'}`));
        await tx.execute(sql.raw(`set local enable_bitmapscan = off`));
        await tx.execute(sql.raw(`set local enable_indexonlyscan = ${scan === 'seqscan' ? 'off' : 'on'}`));
        const { rows: counts } = await tx.execute<{ count: number }>(
          sql.raw(`select count(*) as count${scan === 'seqscan' ? ', max(length(t::text))' : ''} from ${name} t`),
        );
        return Number(counts[0]?.count);
      });
    try {
      const [heap, index] = [await count('seqscan'), await count('indexscan')];
      if (heap !== index) losses.push(`${name} has ${heap} rows and ${index} in its index`);
    } catch (error) {
      losses.push(`${name} can't be read: ${(error as Error).message}`);
    }
  }
  return losses;
}
