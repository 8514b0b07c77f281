import { not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * Whether the column has one of the values; none of them is false. One parameter however many values there are: `in
 * (…)` has one for each, and planning thousands of them takes PostgreSQL seconds.
 */
export function anyOf(column: AnyPgColumn, values: readonly (string | number)[]): SQL {
  // `text collate "C"` is how some columns are declared: an array has the type alone.
  const [type = 'text'] = column.getSQLType().split(' collate ');
  return sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`;
}

/** The opposite of {@link anyOf}; neither holds where the column is null. */
export const noneOf = (column: AnyPgColumn, values: readonly (string | number)[]): SQL => not(anyOf(column, values));
