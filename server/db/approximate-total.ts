import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from './database.ts';
import type { Page } from '#server/wire/pagination.ts';

/** Beyond this many rows a total is not counted out: lists of events and messages grow faster than anybody pages. */
const COUNTED_OUT = 10_000;

/**
 * A total for lists that are scrolled endlessly (contract: Pagination, approximated_total). Exact up to ten thousand;
 * beyond, at least that many, and always more than what has been shown while pages come back full, so that `next`
 * never ends too early.
 *
 * @param from what to count: a FROM clause with its WHERE
 * @param shown rows on this page
 */
export async function approximateTotal(
  db: Executor,
  from: SQL,
  page: Page,
  shown: number,
): Promise<{ total: number; approximated: boolean }> {
  const seen = page.offset + shown;
  // A page that is not full is the last one, and says the total without counting.
  if (shown > 0 && shown < page.limit) return { total: seen, approximated: false };
  const { rows } = await db.execute<{ count: string }>(
    sql`select count(*)::text as count from (select 1 from ${from} limit ${COUNTED_OUT + 1}) as counted`,
  );
  const count = Number(rows[0]?.count ?? 0);
  if (count <= COUNTED_OUT) return { total: count, approximated: false };
  return { total: Math.max(COUNTED_OUT, shown === page.limit ? seen + 1 : seen), approximated: true };
}
