import { createHash } from 'node:crypto';

import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { QueryResult } from 'pg';

import type { Executor } from './database.ts';
import { CASING } from './orm.ts';

const dialect = new PgDialect({ casing: CASING });

/**
 * Runs a statement that the connection prepares on first use and then reuses, because parsing and planning a small
 * statement takes several times as long as running it.
 *
 * Use it only for statements whose SQL rarely varies. Pass a list as one array rather than as one parameter per value.
 */
export function executePrepared<Row extends Record<string, unknown>>(
  db: Executor,
  statement: SQL,
): Promise<QueryResult<Row>> {
  const query = dialect.sqlToQuery(statement);
  // The name is a hash of the SQL, so different statements never share a name.
  const name = createHash('sha256').update(query.sql).digest('base64url');
  return db._.session
    .prepareQuery<{ execute: QueryResult<Row>; all: unknown; values: unknown }>(query, undefined, name, false)
    .execute();
}

/**
 * Builds a prepared statement of the query builder once for each executor, because building its SQL can take as long
 * as running it. Pass what varies as placeholders.
 *
 * @returns a function that returns the statement of an executor
 */
export function preparedOnce<Statement>(build: (db: Executor) => Statement): (db: Executor) => Statement {
  const statements = new WeakMap<Executor, Statement>();
  return (db) => {
    const existing = statements.get(db);
    if (existing !== undefined) return existing;
    const statement = build(db);
    statements.set(db, statement);
    return statement;
  };
}
