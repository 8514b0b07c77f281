import { and, eq } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { Executor } from '#server/db/database.ts';
import { parser, parserField } from '#server/db/schema/parser.ts';
import { usableBy } from '#server/domains/data/parser/model/find.ts';
import { pathKey } from '#server/domains/data/parser/model/path.ts';

/**
 * Returns paths as parsers declare them, because values are stored under the declared path: `level` for `$.level`. A
 * path that no parser declares stays as it is.
 */
export async function findDeclaredPaths(
  db: Executor,
  organization: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const declaredFields = await db
    .selectDistinct({ field: parserField.field })
    .from(parserField)
    .innerJoin(
      parser,
      and(eq(parser.organization, parserField.organization), eq(parser.identifier, parserField.parser)),
    )
    .where(usableBy(organization));
  const spellings = groupBy(declaredFields, ({ field }) => pathKey(field));
  return [...new Set(paths.flatMap((path) => spellings.get(pathKey(path))?.map(({ field }) => field) ?? [path]))];
}
