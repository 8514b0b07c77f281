import { findUnitPreferences } from '#commands/nouns/data/parser/bench/labels.ts';
import { parser } from '#commands/nouns/data/parser/entity.ts';
import type { ParserItem } from '#commands/nouns/data/parser/item.ts';
import { loadDefinition } from '#commands/nouns/data/parser/list.ts';
import type { UnitPreferences } from '#proto/gen/hiber/unit_preferences_pb.ts';
import { keyOf } from '#src/data/query-client.ts';
import { contextNow } from '#src/run/context.ts';

/**
 * The content of the bench: a parser and its definition. Both are undefined for a new parser, and for a deleted one.
 */
export interface LoadedParser {
  readonly item: ParserItem | undefined;
  readonly definition: string | undefined;
  /** The user's units. Absent for a new parser, which declares no fields. */
  readonly preferences?: UnitPreferences | undefined;
}

/** Returns the query for a parser. */
export const benchQuery = (organization: string, id: string | undefined) => ({
  queryKey: keyOf(organization, 'parser', 'bench', id ?? ''),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => load(id, signal),
});

async function load(id: string | undefined, signal: AbortSignal): Promise<LoadedParser> {
  if (id === undefined) return { item: undefined, definition: undefined };
  const context = contextNow({ signal });
  const [[item], definition, preferences] = await Promise.all([
    parser.byIds(context, [id]),
    loadDefinition(context, context.organization.id, id),
    findUnitPreferences(context),
  ]);
  return { item, definition: item && definition, preferences };
}
