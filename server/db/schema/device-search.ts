import { foreignKey, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { identifier } from './columns.ts';
import { device } from './device.ts';

/**
 * The text covered by free-text search for devices, apart from tags. It has its own table because the trigram index
 * costs as much to write as the rest of a device, and every message updates its device. Triggers on `device` keep it up
 * to date (migration 0012), and nothing else writes it.
 */
export const deviceSearch = pgTable(
  'device_search',
  {
    organization: identifier().notNull(),
    number: identifier().notNull(),
    /** In lowercase. Contains the number with and without its space. */
    text: text().notNull(),
  },
  (table) => [
    primaryKey({ name: 'device_search_pk', columns: [table.organization, table.number] }),
    foreignKey({
      name: 'device_search_device',
      columns: [table.organization, table.number],
      foreignColumns: [device.organization, device.number],
    }).onDelete('cascade'),
    index('device_search_text').using('gin', table.organization, table.text.op('gin_trgm_ops')),
  ],
);
