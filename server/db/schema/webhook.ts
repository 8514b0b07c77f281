import { foreignKey, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core';

import type { Webhook_ContentType } from '#proto/gen/hiber/webhook_pb.ts';

import { id, identifier, instant, readableText } from './columns.ts';
import { publisher } from './publisher.ts';

/** The webhook settings that other publishers do not have (see publisher.ts). */
export const webhook = pgTable(
  'webhook',
  {
    organization: identifier().notNull(),
    id: id().notNull(),
    description: readableText().notNull().default(''),
    url: readableText().notNull(),
    /** Encrypted with the installation's key; the database never sees the plaintext. */
    secret: text(),
    contentType: smallint().$type<Webhook_ContentType>().notNull().default(0),
    hmacHeaderName: text().notNull().default(''),
    /** Header values by name; the values are encrypted like the secret. */
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
