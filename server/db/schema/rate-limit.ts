import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * What was done lately of what is limited (rate-limit.ts). Rows in the past say nothing and are dropped. A reference
 * table: an address is mailed by several organizations.
 */
export const rateLimit = pgTable(
  'rate_limit',
  {
    /** Name of the limit and whom or what it counts for. */
    key: text().primaryKey(),
    /** When it will be as if nothing had been done. */
    clearAt: instant().notNull(),
  },
  (table) => [index('rate_limit_clear').on(table.clearAt)],
);
