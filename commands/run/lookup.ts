import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { CommandError, NothingMatchesError, UnknownValueError } from '#commands/model/errors.ts';
import type { Window } from '#commands/model/list.ts';
import { isSelection, type NamedTarget, type SelectedItems, type Target } from '#commands/model/target.ts';
import { compileText } from '#commands/query/compile.ts';
import { quoteWord } from '#commands/query/quote.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames, nearestPart } from '#commands/text/near.ts';
import { inQuotes, parseList } from '#commands/text/quotes.ts';
import { candidate, needle, scoreOf, tierOf } from '#commands/text/score.ts';

import { countMatching } from './count.ts';
import { chunks } from './paging.ts';

/** The number of rows per lookup request. A server can return fewer, so paging counts the returned rows. */
export const LOOKUP_PAGE_SIZE = 1000;

/** The maximum number of candidates to list for an ambiguous name. */
const MAX_CANDIDATES = 5;

/** Returns the current target of `@selection`: the selection, or else the active row. */
export function selectionTarget(entity: AnyEntity, context: Context): NamedTarget {
  const focus = context.focus?.entity === entity.name ? context.focus : undefined;
  if (focus?.target) return focus.target;
  if (focus?.active !== undefined) return { ids: [focus.active] };
  throw new CommandError(message('core:selection.none', { entity: entityLabels.one(entity) }));
}

/** Refers to an item by its id where its name may also be written. */
export const itemReference = (id: string): string => `#${id}`;

/** Returns the id in a text that {@link itemReference} wrote. */
export const referencedId = (text: string): string | undefined => (text.startsWith('#') ? text.slice(1) : undefined);

/** The number of ids to look up between two progress reports. */
const IDS_PER_REPORT = 2000;

/** Looks up the items that exist, and reports progress for long lists. Stops if `validate` throws. */
export async function loadByIds<Item>(
  entity: Entity<Item>,
  ids: readonly string[],
  context: Context,
  validate?: Validate<Item>,
): Promise<readonly Item[]> {
  if (ids.length <= IDS_PER_REPORT) return entity.byIds(context, ids);
  const items: Item[] = [];
  let done = 0;
  for (const part of chunks(ids, IDS_PER_REPORT)) {
    context.signal.throwIfAborted();
    items.push(...(await entity.byIds(context, part)));
    done += part.length;
    context.progress({ done, total: ids.length });
    validate?.(items);
  }
  return items;
}

/** Throws if the command can't act on the items found so far, regardless of the remaining items. */
export type Validate<Item> = (items: readonly Item[]) => void;

/** Looks up all items of a target and reports progress for long lists. Stops if `validate` throws. */
export async function lookUp<Item>(
  entity: Entity<Item>,
  target: Target,
  context: Context,
  validate?: Validate<Item>,
  atMost?: number,
): Promise<SelectedItems<Item>> {
  const namedTarget = isSelection(target) ? selectionTarget(entity, context) : target;
  if ('named' in namedTarget) return findByNames(entity, namedTarget.named, context);
  if ('ids' in namedTarget) {
    const ids = [...new Set(namedTarget.ids.map((id) => entity.toId(id)))];
    const items = await loadByIds(entity, ids, context, validate);
    const itemsById = new Map(items.map((item) => [entity.id(item), item]));
    const missingIds = ids.filter((id) => !itemsById.has(id));
    if (missingIds.length > 0) {
      throw new CommandError(
        message('running:lookup.missing', {
          entity: entityLabels.one(entity),
          ids: missingIds.slice(0, MAX_CANDIDATES).join(', '),
          count: missingIds.length,
        }),
      );
    }
    return { ids, items: ids.flatMap((id) => itemsById.get(id) ?? []) };
  }
  const items = await listAll(entity, namedTarget.query, context, validate, atMost);
  if (items.length === 0)
    throw new NothingMatchesError(
      message('running:lookup.empty', { entity: entityLabels.one(entity), query: namedTarget.query }),
    );
  return { ...toSelectedItems(entity, items), query: namedTarget.query };
}

export function toSelectedItems<Item>(entity: Entity<Item>, items: readonly Item[]): SelectedItems<Item> {
  return { ids: items.map((item) => entity.id(item)), items };
}

/**
 * Resolves text to items. The text is the exact name of one item, even if it contains commas, or a comma-separated list
 * of names.
 *
 * @throws UnknownValueError for a name that is unknown or ambiguous
 */
async function findByNames<Item>(entity: Entity<Item>, text: string, context: Context): Promise<SelectedItems<Item>> {
  const names = parseList(text).filter((name) => name.trim() !== '');
  const whole = names.length > 1 ? await findOne(entity, text, context) : undefined;
  if (whole !== undefined) return { ids: [entity.id(whole)], items: [whole] };
  const itemsById = new Map<string, Item>();
  for (const [index, name] of names.entries()) {
    context.signal.throwIfAborted();
    const isId = entity.isId(name) || /^#\S/.test(name);
    const [itemWithId] = isId ? await entity.byIds(context, [entity.toId(name.replace(/^#/, ''))]) : [];
    const item = itemWithId ?? (await findOne(entity, name, context));
    // If even the first name is unknown, the text may be a misspelled name that contains commas.
    if (item === undefined)
      throw await createNotFoundError(entity, index === 0 ? text : name, context, { orSearch: true });
    itemsById.set(entity.id(item), item);
    if (names.length > 1) context.progress({ done: index + 1, total: names.length });
  }
  return { ids: [...itemsById.keys()], items: [...itemsById.values()] };
}

/**
 * Loads every item that a filter matches, page by page.
 *
 * @throws AbortError when the run is canceled
 * @throws CommandError after the first page if there are more than `atMost` items
 */
export async function listAll<Item>(
  entity: Entity<Item>,
  query: string,
  context: Context,
  validate?: Validate<Item>,
  atMost = Infinity,
): Promise<readonly Item[]> {
  const compiledFilter = await compileText(entity, query, context);
  const itemsById = new Map<string, Item>();
  let received = 0;
  for (let page = 0; ; page++) {
    context.signal.throwIfAborted();
    const window: Window = { page, size: LOOKUP_PAGE_SIZE, omitsValues: true };
    const { items, total } = await entity.list(context, compiledFilter, window);
    if (total > atMost) throw new CommandError(message('core:validation.atMost', { max: atMost }));
    for (const item of items) itemsById.set(entity.id(item), item);
    received += items.length;
    if (items.length === 0 || received >= total) return [...itemsById.values()];
    context.progress({ done: itemsById.size, total });
    validate?.([...itemsById.values()]);
  }
}

/** Counts a target's items without fetching them. */
export async function countTarget(entity: AnyEntity, target: Target, context: Context): Promise<number> {
  const namedTarget = isSelection(target) ? selectionTarget(entity, context) : target;
  if ('ids' in namedTarget) return namedTarget.ids.length;
  if ('named' in namedTarget) return (await findByNames(entity, namedTarget.named, context)).ids.length;
  return countMatching(entity, namedTarget.query, context);
}

/**
 * Finds the item that the text names.
 *
 * @throws CommandError listing the candidates, if the text is ambiguous
 */
export async function findOne<Item>(entity: Entity<Item>, text: string, context: Context): Promise<Item | undefined> {
  return requireOne(entity, text, await entity.find(context, text));
}

/**
 * Returns the only match of a text, if there is one.
 *
 * @throws CommandError listing the candidates, if there are several
 */
export function requireOne<Item>(entity: Entity<Item>, text: string, matches: readonly Item[]): Item | undefined {
  if (matches.length <= 1) return matches[0];
  const candidates = matches.slice(0, MAX_CANDIDATES).map((item) => `${entity.label(item)} (${entity.id(item)})`);
  throw new UnknownValueError(
    message('running:lookup.ambiguous', { text, entity: entityLabels.one(entity), candidates: candidates.join(', ') }),
    text,
    matches.slice(0, MAX_CANDIDATES).map((item) => itemReference(entity.id(item))),
  );
}

/** The number of search results to choose the best suggestions from. */
const MAX_SEARCH_RESULTS = 200;
/** The number of rows to compare with a misspelled name if the search doesn't find it. */
const MAX_COMPARED_ROWS = LOOKUP_PAGE_SIZE;
/** The number of words in a misspelled name to search for individually. */
const MAX_WORDS = 4;

/**
 * Returns the searches that can find a misspelled name. Typos are rarely in the first letters of a word, so the first
 * search uses the first letters of all words. The next searches use the first letters of one word each, in case another
 * word starts with a typo. The last search matches the whole list.
 */
function searchesFor(name: string): readonly string[] {
  const starts = name
    .trim()
    .split(/\s+/)
    .map((word) => word.slice(0, 3));
  return [...new Set([starts.join(' '), ...starts.slice(0, MAX_WORDS), ''])];
}

/**
 * Sorts names by how well they match, so `Anna` finds Anna Vermeer before Hanna Lindqvist. Equally good matches
 * keep their order.
 */
function sortByMatch(text: string, names: readonly string[]): readonly string[] {
  const textNeedle = needle(text);
  const tier = (name: string): number => tierOf(scoreOf(candidate(name), textNeedle) ?? 0);
  return names.toSorted((a, b) => tier(b) - tier(a));
}

/**
 * Returns the error for a name that does not exist, with suggestions. Pass `orSearch` if the param also accepts a
 * search.
 */
export async function createNotFoundError<Item>(
  noun: Entity<Item>,
  text: string,
  context: Context,
  { orSearch = false } = {},
): Promise<UnknownValueError> {
  const labels = async (search: string, limit: number): Promise<readonly string[]> => [
    ...new Set((await noun.search(context, search, limit)).map((item) => noun.label(item))),
  ];
  let nearMatches: readonly string[] = sortByMatch(text, await labels(text, MAX_SEARCH_RESULTS)).slice(
    0,
    MAX_CANDIDATES,
  );
  const searchValues =
    orSearch && nearMatches.length > 0 && noun.applySearch
      ? { search: ['*', ...text.trim().split(/\s+/).map(quoteWord)].join(' ') }
      : undefined;
  for (const search of nearMatches.length > 0 ? [] : searchesFor(text)) {
    const names = await labels(search, MAX_COMPARED_ROWS);
    nearMatches = nearestNames(text, names, MAX_CANDIDATES);
    if (nearMatches.length === 0) nearMatches = nearestPart(text, names, MAX_CANDIDATES);
    if (nearMatches.length > 0) break;
  }
  const entity = entityLabels.one(noun);
  const candidates = nearMatches.map((name) => (name.includes(',') ? inQuotes(name) : name)).join(', ');
  const values = { text, entity, candidates, ...searchValues };
  const suggestion =
    nearMatches.length > 0 ? message('running:lookup.near', values) : message('running:lookup.none', values);
  const userMessage = searchValues ? message('running:lookup.nearOrSearch', values) : suggestion;
  return new UnknownValueError(userMessage, text, nearMatches);
}
