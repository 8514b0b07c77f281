import { sql } from 'drizzle-orm';
import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { bytes, identifier, readableText } from '#server/db/schema/columns.ts';
import { organization } from '#server/db/schema/organization.ts';

/** Firmware for the devices of an organization and of those below it. */
export const firmware = pgTable(
  'firmware',
  {
    organization: identifier().notNull(),
    identifier: identifier().notNull(),
    name: readableText().notNull(),
    version: text().notNull(),
    supportedDeviceTypes: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    mediaType: text().notNull(),
    data: bytes().notNull(),
  },
  (table) => [
    primaryKey({ name: 'firmware_pk', columns: [table.organization, table.identifier] }),
    foreignKey({
      name: 'firmware_organization',
      columns: [table.organization],
      foreignColumns: [organization.id],
    }).onDelete('cascade'),
  ],
);
