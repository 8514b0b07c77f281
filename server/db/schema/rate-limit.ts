import { index, pgTable, text } from 'drizzle-orm/pg-core';

import { instant } from './columns.ts';

/**
 * Recent use of rate limits (rate-limit.ts). Expired rows have no effect and are deleted. This is a reference table
 * because several organizations can email the same address.
 */
export const rateLimit = pgTable(
  'rate_limit',
  {
    /** The name of the limit, and the subject that it applies to. */
    key: text().primaryKey(),
    /** The time when past use stops counting. */
    clearAt: instant().notNull(),
  },
  (table) => [index('rate_limit_clear').on(table.clearAt)],
);
