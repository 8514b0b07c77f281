import { fromBinary } from '@bufbuild/protobuf';
import { and, asc, between, eq, sql, type SQL } from 'drizzle-orm';
import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { presentHealthLevel } from './health-level.ts';
import { presentTimestamp } from '#server/wire/present.ts';
import type { EventNotice } from './channels.ts';
import { deprecatedFlags } from './new-event.ts';

/** An event as stored: what is selected by, beside the event itself. */
export interface StoredEvent {
  readonly organization: string;
  readonly id: number;
  readonly time: Date;
  readonly type: number;
  /** Device number. */
  readonly number: string | null;
  readonly publisher: number | null;
  readonly tags: number[];
  readonly healthLevel: string | null;
  /** Lifecycle that the device has now; null for events without a device, or when it is gone. */
  readonly lifecycle: number | null;
  readonly resolvedAt: Date | null;
  readonly event: Event;
}

const columns = {
  organization: event.organization,
  id: event.id,
  time: event.time,
  type: event.type,
  number: event.number,
  publisher: event.publisher,
  tags: event.tags,
  healthLevel: event.healthLevel,
  level: healthLevel,
  lifecycle: device.lifecycle,
  resolvedAt: event.resolvedAt,
  body: event.body,
};

/** Reads events with the given condition; the caller bounds their number. */
export async function readEvents(
  db: Executor,
  where: SQL | undefined,
  page: { orderBy: SQL[]; limit: number; offset: number },
): Promise<StoredEvent[]> {
  const rows = await db
    .select(columns)
    .from(event)
    .leftJoin(device, and(eq(device.organization, event.organization), eq(device.number, event.number)))
    .leftJoin(
      healthLevel,
      and(eq(healthLevel.organization, event.organization), eq(healthLevel.level, event.healthLevel)),
    )
    .where(where)
    .orderBy(...page.orderBy)
    .limit(page.limit)
    .offset(page.offset);
  return rows.map(({ body, level, ...row }) => ({
    ...row,
    event: withStatus(withLevel(fromBinary(EventSchema, body), level), row.resolvedAt),
  }));
}

/** The events that a notification announces, oldest first. */
export function readNotice(db: Executor, { organization, from, to, ids }: EventNotice): Promise<StoredEvent[]> {
  const where = and(
    eq(event.organization, organization),
    between(event.time, new Date(from), new Date(to)),
    sql`${event.id} = any(${sql.param(ids)}::bigint[])`,
  );
  return readEvents(db, where, { orderBy: [asc(event.id)], limit: ids.length, offset: 0 });
}

/** A level may have been renamed, moved or recoloured since, which holds for history too (contract: HealthService). */
function withLevel(read: Event, row: typeof healthLevel.$inferSelect | null): Event {
  if (!row) return read;
  const level = presentHealthLevel(row);
  read.healthLevel = level;
  Object.assign(read, deprecatedFlags(level));
  if (read.event.value && 'healthLevel' in read.event.value) read.event.value.healthLevel = level;
  return read;
}

/** An event is resolved after it was written; that is kept beside it and put in here, envelope and detail. */
function withStatus(read: Event, resolvedAt: Date | null): Event {
  if (!resolvedAt) return read;
  read.resolvedStatus = { case: 'resolved', value: true };
  if (read.event.case === 'alarmTriggered') {
    const value = presentTimestamp(resolvedAt, read.time?.timeZone);
    read.event.value.resolvedStatus = { case: 'resolvedAt', value };
  } else if (read.event.case === 'messageCannotBeParsed') {
    read.event.value.resolvedStatus = { case: 'resolved', value: true };
  }
  return read;
}
