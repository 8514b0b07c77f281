import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { compileText } from '#commands/query/compile.ts';

/** Counts the items that a filter matches without fetching them. */
export async function countMatching(entity: AnyEntity, query: string, context: Context): Promise<number> {
  const compiledFilter = await compileText(entity, query, context);
  return (await entity.list(context, compiledFilter, { page: 0, size: 1 })).total;
}
