import type { Context } from '#commands/model/context.ts';
import type { AnyEntity, DefaultView } from '#commands/model/entity.ts';
import type { CompiledFilter } from '#commands/model/list.ts';
import { noFilter, selectEverything } from '#commands/query/no-filter.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { firstScreen } from '#src/state/first-screen.ts';
import { importOrThrow } from '#src/state/not-loaded.ts';

import type { parser } from './parser.ts';

// Lists without a filter do not need the filter language, so it loads after the first screen. If the URL has a filter,
// the guard loads it together with the screen (`src/app/console-facts.ts`).

type Parser = typeof parser;

let loadedParser: Parser | undefined;

/**
 * Loads the filter language.
 *
 * @throws NotLoadedError
 */
export async function loadParser(): Promise<Parser> {
  loadedParser ??= (await importOrThrow(import('./parser.ts'))).parser;
  return loadedParser;
}

/** @throws Error if the filter language has not loaded, which is a programming error */
function requireParser(): Parser {
  if (!loadedParser) throw new Error('The filter language has not loaded.');
  return loadedParser;
}

/** Parses the filter in the URL. */
export function readFilter(text: string, entity: AnyEntity): ParsedFilter {
  return text === '' ? noFilter(entity) : requireParser().parseFilter(text, entity);
}

/** Compiles the filter of a list. */
export async function compile(filter: ParsedFilter, context: Context): Promise<CompiledFilter<unknown>> {
  const { entity, text } = filter;
  return text === '' ? selectEverything(entity) : (await loadParser()).compileParsed(entity, filter, context);
}

/** Counts the items that a filter matches. The rows of the first screen come first, and often need no parser. */
export async function countMatching(entity: AnyEntity, query: string, context: Context): Promise<number> {
  await firstScreen;
  return (await loadParser()).countMatching(entity, query, context);
}

/** Returns the view that is equivalent to a filter, ignoring the sort. */
export function findView(filter: ParsedFilter): DefaultView | undefined {
  const { entity, text } = filter;
  return text === '' ? entity.views?.find((view) => view.filter === '') : requireParser().findView(filter);
}
