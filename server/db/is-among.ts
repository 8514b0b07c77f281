import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';

/**
 * Whether a value is among what a subquery, which does not depend on the row, selects. It runs once and is looked up by
 * hash. A plain `in` is turned into a join, and by nested loops where the planner takes the tables for almost empty,
 * since rows written after the last ANALYZE are unknown to it: 40 s for 60 devices with some hundred tags each.
 */
export const isAmong = (value: SQLWrapper, subquery: SQL): SQL => sql`(${value} in (${subquery})) is true`;
