import { parser } from '#commands/nouns/data/parser/entity.ts';
import type { ParserItem } from '#commands/nouns/data/parser/item.ts';
import { loadDefinition } from '#commands/nouns/data/parser/list.ts';
import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';

/**
 * The content of the bench: a parser and its definition. Both are undefined for a new parser, and for a deleted one.
 */
export interface LoadedParser {
  readonly item: ParserItem | undefined;
  readonly definition: string | undefined;
}

/** Returns the query for a parser. */
export const benchQuery = (organization: string, id: string | undefined) => ({
  queryKey: keyOf(organization, 'parser', 'bench', id ?? ''),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => load(id, signal),
});

async function load(id: string | undefined, signal: AbortSignal): Promise<LoadedParser> {
  if (id === undefined) return { item: undefined, definition: undefined };
  const context = contextNow({ signal });
  const [[item], definition] = await Promise.all([
    parser.byIds(context, [id]),
    loadDefinition(context, context.organization.id, id),
  ]);
  return { item, definition: item && definition };
}
