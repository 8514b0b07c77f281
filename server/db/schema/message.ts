import { sql } from 'drizzle-orm';
import { boolean, doublePrecision, index, jsonb, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';

import { bytes, id, identifier, instant } from './columns.ts';

/** The contract's ParsedBody as it is stored, with either a result or an error. */
export interface StoredParsedBody {
  readonly parser: string;
  readonly name: string;
  readonly result?: Readonly<Record<string, unknown>>;
  /** Takes the place of `result` if the parser has encrypted fields: the result as JSON, sealed. */
  readonly sealed?: string;
  /** When the values were measured, in milliseconds since the epoch. */
  readonly measuredAt?: number;
  readonly error?: string;
  /** The byte at which parsing failed. */
  readonly offset?: number;
}

/**
 * Received messages, partitioned by the week of receipt (partitions.ts). There is no foreign key to the device, because
 * whole partitions are dropped, and loading millions of messages must not look up the device of each.
 */
export const message = pgTable(
  'message',
  {
    organization: identifier().notNull(),
    receivedAt: instant().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('message_id')`),
    number: identifier().notNull(),
    sentAt: instant().notNull(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    body: bytes().notNull(),
    /** ModemMessage.Source numbers. */
    sources: smallint()
      .array()
      .notNull()
      .default(sql`'{}'`),
    isTest: boolean().notNull().default(false),
    isGatewayMessage: boolean().notNull().default(false),
    viaGatewayMessage: id(),
    metadata: jsonb().$type<Record<string, unknown>>(),
    /** The results of the applied parsers; absent without parsers. */
    parsed: jsonb().$type<readonly StoredParsedBody[]>(),
  },
  (table) => [
    primaryKey({ name: 'message_pk', columns: [table.organization, table.receivedAt, table.id] }),
    index('message_by_device').on(table.organization, table.number, table.sentAt, table.id),
    index('message_by_sent').on(table.organization, table.sentAt, table.id),
    index('message_by_id').on(table.organization, table.id),
  ],
);
