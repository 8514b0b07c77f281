import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';

/** Settings of the installation itself, such as its keys and the version of its seed data. A reference table. */
export const setting = pgTable('setting', {
  key: text().primaryKey(),
  value: jsonb().notNull(),
});
