import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';

export interface RowKey {
  readonly organization: string;
  readonly number: string;
}

/**
 * Returns keys as a function in `from` that returns rows of an organization and a number. Prepared statements join it
 * to look up each key.
 *
 * The planner doesn't know the values of a prepared statement. With `organization = $1 and number = any($2)`, it
 * assumes that the organization has as many rows as the average one, which may be so few that it chooses to read them
 * all. For a large organization, that takes a hundred times as long.
 */
export const keyRows = (keys: readonly RowKey[]): SQL => {
  const { organizations, numbers } = keyValues(keys);
  return sql`unnest(${sql.param(organizations)}::text[], ${sql.param(numbers)}::text[])`;
};

/** Like {@link keyRows}, with placeholders for {@link keyValues}. */
export const keyRowsLater = (): SQL =>
  sql`unnest(${sql.placeholder('organizations')}::text[], ${sql.placeholder('numbers')}::text[])`;

/** Returns the values of {@link keyRowsLater}. */
export const keyValues = (keys: readonly RowKey[]) => ({
  organizations: keys.map(({ organization }) => organization),
  numbers: keys.map(({ number }) => number),
});

/** Like {@link keyRows}, for numbers of one organization. */
export const keyRowsIn = (organization: string, numbers: readonly string[]): SQL =>
  keyRows(numbers.map((number) => ({ organization, number })));

/** Builds the condition that joins a table with {@link keyRows} that are called `key`. */
export const isKeyOf = (table: { organization: AnyPgColumn; number: AnyPgColumn }): SQL =>
  sql`${table.organization} = key.organization and ${table.number} = key.number`;
