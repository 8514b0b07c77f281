import { index, pgTable, text } from 'drizzle-orm/pg-core';

import { instant } from './columns.ts';

/**
 * Recent use of rate limits (rate-limit.ts). Rows whose time has passed have no effect and are deleted. A reference
 * table, because several organizations may email the same address.
 */
export const rateLimit = pgTable(
  'rate_limit',
  {
    /** The name of the limit, and the subject that it applies to. */
    key: text().primaryKey(),
    /** When past use no longer counts. */
    clearAt: instant().notNull(),
  },
  (table) => [index('rate_limit_clear').on(table.clearAt)],
);
