import { not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * True if the column equals one of the values; false for an empty list. Passes all values as a single array parameter,
 * because `in (…)` has one parameter per value, and PostgreSQL takes seconds to plan thousands of them.
 */
export function anyOf(column: AnyPgColumn, values: readonly (string | number)[]): SQL {
  // Some columns are declared as `text collate "C"`, and a cast to an array type accepts no collation.
  const [type = 'text'] = column.getSQLType().split(' collate ');
  return sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`;
}

/** The opposite of {@link anyOf}. Both are null if the column is null. */
export const noneOf = (column: AnyPgColumn, values: readonly (string | number)[]): SQL => not(anyOf(column, values));
