import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';

/** Settings of the installation itself: the seed's version, its keys. A reference table. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
});
