import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

import { id, identifier } from './columns.ts';

/** The last numeric id assigned per organization and noun (ids.ts). */
export const counter = pgTable(
  'counter',
  {
    organization: identifier().notNull(),
    noun: text().notNull(),
    value: id().notNull(),
  },
  (table) => [primaryKey({ name: 'counter_pk', columns: [table.organization, table.noun] })],
);
