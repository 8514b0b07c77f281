import { eq, not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

/**
 * Builds a condition that the column equals one of the values. It is false for an empty list. Passes all values as a
 * single array parameter, because `in (…)` has one parameter per value, and PostgreSQL takes seconds to plan thousands.
 */
export function anyOf(column: AnyPgColumn, values: readonly (string | number)[]): SQL {
  // Some columns are declared as `text collate "C"`, and a cast to an array type accepts no collation.
  const [type = 'text'] = column.getSQLType().split(' collate ');
  return sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`;
}

/** Builds the opposite condition of {@link anyOf}. Both are null if the column is null. */
export const noneOf = (column: AnyPgColumn, values: readonly (string | number)[]): SQL => not(anyOf(column, values));

/**
 * Builds a condition that the column names one of the organizations. A single one is compared with `=`, because only
 * then can an index that starts with the column also supply the order.
 *
 * Not for named prepared statements, whose text must not depend on the number of organizations.
 */
export function inOrganizations(column: AnyPgColumn, organizations: readonly string[]): SQL {
  const [first, ...others] = organizations;
  return first !== undefined && others.length === 0 ? eq(column, first) : anyOf(column, organizations);
}
