import { getTableName, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';

import type { Tx } from '#server/db/database.ts';

/** The number of rows per statement. Enough to be fast, but few enough to keep each statement to a few megabytes. */
const BATCH_SIZE = 4000;

/**
 * Inserts many rows with one parameter per statement, which is an order of magnitude faster than one parameter per
 * value. All rows must have the same keys as the first: a column is either set in all of them or left at its default.
 * Takes the rows as it needs them, so a generator never has more than a batch in memory.
 */
export async function bulkInsert<T extends PgTable>(
  tx: Tx,
  table: T,
  rows: Iterable<T['$inferInsert']>,
): Promise<void> {
  const name = sql.identifier(getTableName(table));
  let keys: readonly string[] | undefined;
  let records: Record<string, unknown>[] = [];
  const flush = async () => {
    const columns = sql.join(
      (keys ?? []).map((key) => sql.identifier(toSnakeCase(key))),
      sql`, `,
    );
    await tx.execute(sql`
      insert into ${name} (${columns})
      select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(records)}::json)`);
    records = [];
  };
  for (const row of rows) {
    keys ??= Object.keys(row);
    records.push(toRecord(row, keys));
    if (records.length === BATCH_SIZE) await flush();
  }
  if (records.length > 0) await flush();
}

function toRecord(row: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.map((key) => {
      const value = row[key];
      return [toSnakeCase(key), value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value];
    }),
  );
}
