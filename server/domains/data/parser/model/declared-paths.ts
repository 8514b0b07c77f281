import { and, eq, sql } from 'drizzle-orm';

import { canonicalPath, pathKey } from '#commands/text/field-path.ts';
import { groupBy } from '#commands/text/group-by.ts';
import type { Executor } from '#server/db/database.ts';
import { executePrepared } from '#server/db/prepared.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';

import { usableBy } from './find.ts';
import { stepStrings } from './path.ts';

/**
 * Returns paths as parsers declare them, because values are stored under the declared path: `level` for `$.level`. A
 * path that no parser declares stays as it is.
 */
export async function findDeclaredPaths(
  db: Executor,
  organization: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  const declared = await loadDeclaredPaths(db, organization, paths);
  return [...new Set(paths.flatMap((path) => declared.get(pathKey(path)) ?? [path]))];
}

/**
 * Returns a function that returns the spellings under which values of a path can be stored. A value may be older than
 * the declaration of its field, so they include the path itself, and the form that results use.
 */
export async function findStoredPaths(
  db: Executor,
  organization: string,
  paths: readonly string[],
): Promise<(path: string) => readonly string[]> {
  const declared = await loadDeclaredPaths(db, organization, paths);
  return (path) => [...new Set([path, canonicalPath(path), ...(declared.get(pathKey(path)) ?? [])])];
}

/** Loads how parsers spell the paths, by their key. */
async function loadDeclaredPaths(
  db: Executor,
  organization: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  // Every spelling contains the last step, so the server compares only few paths.
  const lastSteps = [...new Set(paths.flatMap((path) => stepStrings(path).slice(-1)))];
  if (lastSteps.length === 0) return new Map();
  const { rows } = await executePrepared<{ field: string }>(
    db,
    sql`select distinct ${parserField.field} as field from ${parserField}
      join ${parser} on ${and(eq(parser.organization, parserField.organization), eq(parser.identifier, parserField.parser))}
     where ${usableBy(organization)} and exists (
       select from unnest(${sql.param(lastSteps)}::text[]) as step where strpos(${parserField.field}, step) > 0
     )`,
  );
  const spellings = groupBy(rows, ({ field }) => pathKey(field));
  return new Map([...spellings].map(([key, fields]) => [key, fields.map(({ field }) => field)]));
}
