import { boolean, foreignKey, integer, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { identifier, instant, readableText } from './columns.ts';
import { healthLevel } from './health-level.ts';
import { organization } from './organization.ts';

/**
 * The health level of an event type, if the organization has configured one (contract: EventService configuration).
 */
export const eventHealth = pgTable(
  'event_health',
  {
    organization: identifier().notNull(),
    /** An EventType number. */
    type: smallint().notNull(),
    level: readableText().notNull(),
    /** Seconds after the last event of the type; null means until the event is resolved. */
    expiry: integer(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ name: 'event_health_pk', columns: [table.organization, table.type] }),
    foreignKey({
      name: 'event_health_level',
      columns: [table.organization, table.level],
      foreignColumns: [healthLevel.organization, healthLevel.level],
    })
      .onUpdate('cascade')
      .onDelete('cascade'),
  ],
);

/** An organization's MESSAGE_SUMMARY configuration. An organization without a row gets no summaries. */
export const messageSummary = pgTable(
  'message_summary',
  {
    organization: identifier().primaryKey(),
    enabled: boolean().notNull(),
    /** Seconds. */
    period: integer(),
    /** The start of one of the periods, which determines all others; null means a Monday at 00:00 UTC. */
    alignTo: instant(),
    /** The IANA time zone that the periods are computed in. */
    timeZone: text().notNull().default('UTC'),
    includeEmpty: boolean().notNull().default(false),
    /** Messages received before this time are already in a summary. */
    summarizedUntil: instant(),
  },
  (table) => [
    foreignKey({
      name: 'message_summary_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);
