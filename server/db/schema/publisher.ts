import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant } from './columns.ts';
import { organization } from './organization.ts';
import { publisherFilters } from './publisher-filters.ts';

/**
 * A subscriber to events, with its filters, its health, and its lease. Settings that only one kind of publisher has,
 * such as a webhook's URL, are in a table for that kind with the same key.
 *
 * An organization's publishers of all kinds share one sequence of ids, because events and their filters identify a
 * publisher by its id alone (contract: EventSelection).
 */
export const publisher = pgTable(
  'publisher',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    /** The name of the target that delivers to it, such as `webhook`. */
    kind: text().notNull(),
    disabled: boolean().notNull().default(false),
    ...publisherFilters(),
    /** Seconds; 0 turns the warning off. */
    healthWarningPeriod: integer().notNull().default(86_400),
    healthWarningFailurePercentage: integer().notNull().default(10),
    /** The step in the contract's cooldown table; 0 if the publisher is not failing. */
    cooldownStep: smallint().notNull().default(0),
    inCooldownUntil: instant(),
    failingSince: instant(),
    lastCallFailed: boolean().notNull().default(false),
    /** True if the server, rather than a user, disabled the publisher because it had been failing for a long time. */
    autoDisabled: boolean().notNull().default(false),
    autoDisableSuspendedUntil: instant(),
    /** The only server process that currently delivers to this publisher, which keeps its calls in order. */
    leaseOwner: text(),
    /** If there is no owner, the end of the last turn. */
    leaseUntil: instant(),
  },
  (table) => [
    primaryKey({ name: 'publisher_pk', columns: [table.organization, table.id] }),
    index('publisher_leased')
      .on(table.leaseOwner, table.organization)
      .where(sql`lease_owner is not null`),
    foreignKey({
      name: 'publisher_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);

/** The outbox, with one row per event and publisher from the event's transaction until delivery is acknowledged. */
export const publisherDelivery = pgTable(
  'publisher_delivery',
  {
    organization: identifier().notNull(),
    publisher: id().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('publisher_delivery_id')`),
    /** The event to deliver; null if the target stores its data in its own table. */
    eventTime: instant(),
    eventId: id(),
    attempts: integer().notNull().default(0),
    /** Null if the delivery is due as soon as its turn comes. */
    nextAttemptAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'publisher_delivery_pk', columns: [table.organization, table.publisher, table.id] }),
    foreignKey({
      name: 'publisher_delivery_publisher',
      columns: [table.organization, table.publisher],
      foreignColumns: [publisher.organization, publisher.id],
    }).onDelete('cascade'),
  ],
);

/**
 * The history of calls with their outcome, payload, and destination, partitioned by week (partitions.ts). Each kind of
 * publisher fills in the columns that apply to its calls.
 */
export const publisherCall = pgTable(
  'publisher_call',
  {
    organization: identifier().notNull(),
    time: instant().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('publisher_call_id')`),
    publisher: id().notNull(),
    /** The id of the delivery in the outbox. All attempts have the same id. Null for a test. */
    delivery: id(),
    url: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    bodyProto: bytes().notNull(),
    bodyJson: text().notNull(),
    status: integer(),
    successful: boolean().notNull(),
    error: text().notNull().default(''),
    /** True for a test or a resend requested by a user, which does not affect the publisher's health. */
    manual: boolean().notNull().default(false),
    /** The time until the response ended or the call was abandoned. */
    milliseconds: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ name: 'publisher_call_pk', columns: [table.organization, table.time, table.id] }),
    index('publisher_call_by_publisher').on(table.organization, table.publisher, table.time, table.id),
  ],
);
