import { compileText } from '#commands/query/compile.ts';
import { quoteWord } from '#commands/query/tokens.ts';
import type { Context } from '#commands/model/context.ts';
import type { Window } from '#commands/model/list.ts';
import { entityTexts, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { nearest } from '#commands/text/near.ts';
import { CommandError, NothingMatches, UnknownValue } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';
import { chunks } from './paging.ts';
import { inQuotes, parseList } from '#commands/text/quotes.ts';
import { isSelection, type NamedTarget, type Selected, type Target } from '#commands/model/target.ts';

/** Rows a lookup asks for at a time; a server may lower it, so pages are counted by what comes back. */
export const LOOKUP_PAGE = 1000;

/** Candidates that an ambiguous name lists; more would not be read. */
const CANDIDATES = 5;

/** The target that stands for `@selection` now: the selection, else the active row. */
export function selectionTarget(entity: AnyEntity, context: Context): NamedTarget {
  const focus = context.focus?.entity === entity.name ? context.focus : undefined;
  if (focus?.target) return focus.target;
  if (focus?.active !== undefined) return { ids: [focus.active] };
  throw new CommandError(message('core:selection.none', { entity: entityTexts.one(entity) }));
}

/** Ids that are looked up between two reports of progress. */
const IDS_AT_ONCE = 2000;

async function byIds<Item>(
  entity: Entity<Item>,
  ids: readonly string[],
  context: Context,
  refuse?: Refuse<Item>,
): Promise<readonly Item[]> {
  if (ids.length <= IDS_AT_ONCE) return entity.byIds(context, ids);
  const items: Item[] = [];
  for (const part of chunks(ids, IDS_AT_ONCE)) {
    context.signal.throwIfAborted();
    items.push(...(await entity.byIds(context, part)));
    context.progress({ done: items.length, total: ids.length });
    refuse?.(items);
  }
  return items;
}

/** Throws where the items found so far cannot be acted on, whatever the others are. */
export type Refuse<Item> = (items: readonly Item[]) => void;

/**
 * Looks the items of a target up, all of them, reporting progress over long lists. A long list is given up at once
 * where `refuse` throws.
 */
export async function lookUp<Item>(
  entity: Entity<Item>,
  target: Target,
  context: Context,
  refuse?: Refuse<Item>,
): Promise<Selected<Item>> {
  const named = isSelection(target) ? selectionTarget(entity, context) : target;
  if ('named' in named) return byNames(entity, named.named, context);
  if ('ids' in named) {
    const ids = [...new Set(named.ids.map((id) => entity.toId(id)))];
    const items = await byIds(entity, ids, context, refuse);
    const found = new Map(items.map((item) => [entity.id(item), item]));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      throw new CommandError(
        message('core:lookup.missing', {
          entity: entityTexts.one(entity),
          ids: missing.slice(0, CANDIDATES).join(', '),
          count: missing.length,
        }),
      );
    }
    return { ids, items: ids.flatMap((id) => found.get(id) ?? []) };
  }
  const items = await listAll(entity, named.query, context, refuse);
  if (items.length === 0)
    throw new NothingMatches(message('core:lookup.empty', { entity: entityTexts.one(entity), query: named.query }));
  return { ...selectedOf(entity, items), query: named.query };
}

export function selectedOf<Item>(entity: Entity<Item>, items: readonly Item[]): Selected<Item> {
  return { ids: items.map((item) => entity.id(item)), items };
}

/**
 * The items that a text names and no others: the one that is called so with all its commas, else those of the list that
 * it is.
 * @throws UnknownValue for a name that nothing has, or that several have
 */
async function byNames<Item>(entity: Entity<Item>, text: string, context: Context): Promise<Selected<Item>> {
  const names = parseList(text).filter((name) => name.trim() !== '');
  const whole = names.length > 1 ? await findOne(entity, text, context) : undefined;
  if (whole !== undefined) return { ids: [entity.id(whole)], items: [whole] };
  const found = new Map<string, Item>();
  for (const [at, name] of names.entries()) {
    context.signal.throwIfAborted();
    const isId = entity.isId(name) || /^#\S/.test(name);
    const [numbered] = isId ? await entity.byIds(context, [entity.toId(name.replace(/^#/, ''))]) : [];
    const item = numbered ?? (await findOne(entity, name, context));
    // Where not even the first is one, the text may be a misspelt name with commas.
    if (item === undefined) throw await notFound(entity, at === 0 ? text : name, context, { orSearch: true });
    found.set(entity.id(item), item);
    if (names.length > 1) context.progress({ done: at + 1, total: names.length });
  }
  return { ids: [...found.keys()], items: [...found.values()] };
}

/** Every item that a filter matches, page by page. @throws AbortError when the run is cancelled. */
export async function listAll<Item>(
  entity: Entity<Item>,
  query: string,
  context: Context,
  refuse?: Refuse<Item>,
): Promise<readonly Item[]> {
  const compiled = await compileText(entity, query, context);
  const found = new Map<string, Item>();
  let seen = 0;
  for (let page = 0; ; page++) {
    context.signal.throwIfAborted();
    const window: Window = { page, size: LOOKUP_PAGE };
    const { items, total } = await entity.list(context, compiled, window);
    for (const item of items) found.set(entity.id(item), item);
    seen += items.length;
    if (items.length === 0 || seen >= total) return [...found.values()];
    context.progress({ done: found.size, total });
    refuse?.([...found.values()]);
  }
}

/** How many a target names, without fetching them. */
export async function countTarget(entity: AnyEntity, target: Target, context: Context): Promise<number> {
  const named = isSelection(target) ? selectionTarget(entity, context) : target;
  if ('ids' in named) return named.ids.length;
  if ('named' in named) return (await byNames(entity, named.named, context)).ids.length;
  const compiled = await compileText(entity, named.query, context);
  return (await entity.list(context, compiled, { page: 0, size: 1 })).total;
}

/** The one item that a text names. @throws CommandError with the candidates when it names several. */
export async function findOne<Item>(entity: Entity<Item>, text: string, context: Context): Promise<Item | undefined> {
  const found = await entity.find(context, text);
  if (found.length <= 1) return found[0];
  const candidates = found.slice(0, CANDIDATES).map((item) => `${entity.label(item)} (${entity.id(item)})`);
  throw new UnknownValue(
    message('core:lookup.ambiguous', { text, entity: entityTexts.one(entity), candidates: candidates.join(', ') }),
    text,
    found.slice(0, CANDIDATES).map((item) => `#${entity.id(item)}`),
  );
}

/** Rows that a misspelt name is compared with, where the search finds nothing for it. */
const COMPARED = 200;

/**
 * The sentence for a name that does not exist, with the ones that were probably meant; `orSearch` where a search is
 * taken as well.
 */
export async function notFound<Item>(
  noun: Entity<Item>,
  text: string,
  context: Context,
  { orSearch = false } = {},
): Promise<UnknownValue> {
  const labels = async (words: string, limit: number): Promise<readonly string[]> => [
    ...new Set((await noun.search(context, words, limit)).map((item) => noun.label(item))),
  ];
  let near = await labels(text, CANDIDATES);
  const searched =
    orSearch && near.length > 0 && noun.applySearch
      ? { search: ['*', ...text.trim().split(/\s+/).map(quoteWord)].join(' ') }
      : undefined;
  // A slip is usually not in the first letters, so they narrow a long list; where it is, a short list is compared as a
  // whole.
  for (const part of [text.trim().slice(0, 3), '']) {
    if (near.length === 0) near = nearest(text, await labels(part, COMPARED), CANDIDATES);
  }
  const entity = entityTexts.one(noun);
  const candidates = near.map((name) => (name.includes(',') ? inQuotes(name) : name)).join(', ');
  const values = { text, entity, candidates, ...searched };
  const found = near.length > 0 ? message('core:lookup.near', values) : message('core:lookup.none', values);
  const sentence = searched ? message('core:lookup.nearOrSearch', values) : found;
  return new UnknownValue(sentence, text, near);
}
