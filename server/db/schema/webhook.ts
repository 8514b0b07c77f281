import { sql } from 'drizzle-orm';
import { boolean, foreignKey, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import type { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';
import { bytes, id, identifier, instant, readableText } from './columns.ts';
import { publisher } from './publisher.ts';

/** What a webhook has beyond what every publisher has (publisher.ts). */
export const webhook = pgTable(
  'webhook',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    description: readableText().notNull().default(''),
    url: readableText().notNull(),
    /** Sealed with the installation's key (db never sees it in clear). */
    secret: text(),
    /** Webhook.ContentType. */
    contentType: smallint().$type<Webhook_ContentType>().notNull().default(0),
    hmacHeaderName: text().notNull().default(''),
    /** Values sealed as the secret is; names in clear. */
    customHeaders: jsonb().$type<Record<string, string>>().notNull().default({}),
    certificateId: id(),
    createdBy: text().notNull().default(''),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'webhook_pk', columns: [table.organization, table.id] }),
    foreignKey({
      name: 'webhook_publisher',
      columns: [table.organization, table.id],
      foreignColumns: [publisher.organization, publisher.id],
    }).onDelete('cascade'),
  ],
);

/** The outbox: one row per event and webhook, made in the transaction of the event, removed once acknowledged. */
export const webhookDelivery = pgTable(
  'webhook_delivery',
  {
    organization: identifier().notNull(),
    webhook: id().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('webhook_delivery_id')`),
    eventTime: instant().notNull(),
    eventId: id().notNull(),
    attempts: integer().notNull().default(0),
    /** Absent: as soon as it is its turn. */
    nextAttemptAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ name: 'webhook_delivery_pk', columns: [table.organization, table.webhook, table.id] }),
    foreignKey({
      name: 'webhook_delivery_publisher',
      columns: [table.organization, table.webhook],
      foreignColumns: [publisher.organization, publisher.id],
    }).onDelete('cascade'),
  ],
);

/** The history of calls, partitioned by week (partitions.ts). */
export const webhookCall = pgTable(
  'webhook_call',
  {
    organization: identifier().notNull(),
    time: instant().notNull(),
    id: id()
      .notNull()
      .default(sql`nextval('webhook_call_id')`),
    webhook: id().notNull(),
    /** Id of the delivery in the outbox; every attempt repeats it. Absent for a test. */
    delivery: id(),
    url: text().notNull(),
    headers: jsonb().$type<Record<string, string>>().notNull(),
    bodyProto: bytes().notNull(),
    bodyJson: text().notNull(),
    status: integer(),
    successful: boolean().notNull(),
    error: text().notNull().default(''),
    /** Sent by hand: a test or a repetition, which says nothing about the health of the webhook. */
    manual: boolean().notNull().default(false),
    /** Until the end of the answer or giving up. */
    milliseconds: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ name: 'webhook_call_pk', columns: [table.organization, table.time, table.id] }),
    index('webhook_call_by_webhook').on(table.organization, table.webhook, table.time, table.id),
  ],
);
