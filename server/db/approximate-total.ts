import { sql, type SQL } from 'drizzle-orm';

import type { Page } from '#server/wire/pagination.ts';

import type { Executor } from './database.ts';

/** Totals are exact up to this number of rows. Nobody pages further through events and messages. */
const MAX_EXACT_TOTAL = 10_000;

/**
 * Returns the total of a list that grows without limit (contract: Pagination, approximated_total). The total is exact
 * up to ten thousand rows. Beyond that, it is a lower bound. After a full page, it always exceeds the rows so far, so
 * the response keeps offering a `next` page until the list ends.
 *
 * @param from the rows to count, as a FROM clause with its WHERE
 * @param pageRows the number of rows on this page
 */
export async function countApproximately(
  db: Executor,
  from: SQL,
  page: Page,
  pageRows: number,
): Promise<{ total: number; approximated: boolean }> {
  const rowsSoFar = page.offset + pageRows;
  // A partial page is the last one, so it gives the total without counting.
  if (pageRows > 0 && pageRows < page.limit) return { total: rowsSoFar, approximated: false };
  const { rows } = await db.execute<{ count: string }>(
    sql`select count(*)::text as count from (select 1 from ${from} limit ${MAX_EXACT_TOTAL + 1}) as counted`,
  );
  const count = Number(rows[0]?.count ?? 0);
  if (count <= MAX_EXACT_TOTAL) return { total: count, approximated: false };
  return { total: Math.max(MAX_EXACT_TOTAL, pageRows === page.limit ? rowsSoFar + 1 : rowsSoFar), approximated: true };
}
