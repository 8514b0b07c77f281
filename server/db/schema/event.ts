import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant } from './columns.ts';

/**
 * All events, partitioned by week (partitions.ts). `body` is the whole Event as protobuf. Lists filter and sort by the
 * other columns.
 */
export const event = pgTable(
  'event',
  {
    organization: identifier().notNull(),
    time: instant().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('event_id')`),
    /** An EventType number. */
    type: smallint().notNull(),
    /** The device number, for events about a single device. */
    number: identifier(),
    /** The publisher id, for events about a publisher. */
    publisher: id(),
    tags: id()
      .array()
      .notNull()
      .default(sql`'{}'`),
    healthLevel: text(),
    title: text().notNull(),
    description: text().notNull(),
    resolveIdentifier: text(),
    resolvedAt: instant(),
    body: bytes().notNull(),
  },
  (table) => [
    primaryKey({ name: 'event_pk', columns: [table.organization, table.time, table.id] }),
    index('event_by_device').on(table.organization, table.number, table.time, table.id),
    index('event_by_type').on(table.organization, table.type, table.time, table.id),
    // A publisher's failures are resolved by its next success (contract: EventService).
    index('event_unresolved_publisher')
      .on(table.organization, table.publisher)
      .where(sql`${table.publisher} is not null and ${table.resolvedAt} is null`),
    // Includes resolved events because resolving again must find them.
    index('event_by_resolve_identifier')
      .on(table.organization, table.resolveIdentifier)
      .where(sql`${table.resolveIdentifier} is not null`),
    // A renamed health level is renamed in history too (contract: HealthService).
    index('event_by_health_level')
      .on(table.organization, table.healthLevel, table.time, table.id)
      .where(sql`${table.healthLevel} is not null`),
  ],
);
