import { fromBinary } from '@bufbuild/protobuf';
import { and, asc, between, eq, sql, type SQL } from 'drizzle-orm';

import type { Event } from '#proto/gen/hiber/event_pb.ts';
import { EventSchema } from '#proto/gen/hiber/event_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { event } from '#server/db/schema/event.ts';
import { healthLevel } from '#server/db/schema/health-level.ts';
import { presentTimestamp } from '#server/wire/present.ts';

import type { EventNotice } from './channels.ts';
import { presentHealthLevel } from './health-level.ts';
import { deprecatedFlags } from './new-event.ts';

/** A stored event, with the columns that queries filter by. */
export interface StoredEvent {
  readonly organization: string;
  readonly id: number;
  readonly time: Date;
  readonly type: number;
  /** The device number. */
  readonly number: string | null;
  readonly publisher: number | null;
  readonly tags: number[];
  readonly healthLevel: string | null;
  /** The device's current lifecycle; null for events without a device, or if it was deleted. */
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

/** Reads a page of the events that match a condition. */
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

/** Reads the events that a notification announces, oldest first. */
export function readNotice(db: Executor, { organization, from, to, ids }: EventNotice): Promise<StoredEvent[]> {
  const where = and(
    eq(event.organization, organization),
    between(event.time, new Date(from), new Date(to)),
    sql`${event.id} = any(${sql.param(ids)}::bigint[])`,
  );
  return readEvents(db, where, { orderBy: [asc(event.id)], limit: ids.length, offset: 0 });
}

/**
 * Applies changes that were made to the level since the event. Renaming, reordering, and recoloring a level also affect
 * past events (contract: HealthService).
 */
function withLevel(stored: Event, row: typeof healthLevel.$inferSelect | null): Event {
  if (!row) return stored;
  const level = presentHealthLevel(row);
  stored.healthLevel = level;
  Object.assign(stored, deprecatedFlags(level));
  if (stored.event.value && 'healthLevel' in stored.event.value) stored.event.value.healthLevel = level;
  return stored;
}

/** Applies a later resolution, which is stored separately from the event, to its envelope and detail. */
function withStatus(stored: Event, resolvedAt: Date | null): Event {
  if (!resolvedAt) return stored;
  stored.resolvedStatus = { case: 'resolved', value: true };
  if (stored.event.case === 'alarmTriggered') {
    const value = presentTimestamp(resolvedAt, stored.time?.timeZone);
    stored.event.value.resolvedStatus = { case: 'resolvedAt', value };
  } else if (stored.event.case === 'messageCannotBeParsed') {
    stored.event.value.resolvedStatus = { case: 'resolved', value: true };
  }
  return stored;
}
