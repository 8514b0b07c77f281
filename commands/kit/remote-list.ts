import { Code, ConnectError } from '@connectrpc/connect';

import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { chunks, IDS_PER_REQUEST, loadAllPages, loadInChunks, loadWindow, type Load } from '#commands/run/paging.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import { exactMatcher, findExactMatches, type IdentifiersOf } from './matching.ts';

/** Loads pages of a selection, sorted by one of `Entity.sorts`, or in the default order if none is given. */
type LoadSelection<Item, Selection> = (context: Context, selection: Selection, sort?: readonly string[]) => Load<Item>;

interface RemoteListOptions<Item, Selection> {
  readonly load: LoadSelection<Item, Selection>;
  /** The selection for a search. An empty string selects everything. */
  readonly searchSelection: (text: string) => Selection;
  /** The sort order of search results. */
  readonly order?: readonly string[];
}

/** Implements `list` and `search` on top of a paged rpc. */
export function remoteList<Item, Selection>({
  load,
  searchSelection,
  order,
}: RemoteListOptions<Item, Selection>): Pick<Entity<Item, Selection>, 'list' | 'search'> {
  return {
    list: (context, { selection, sort }, window) => loadWindow(window, load(context, selection, sort)),
    search: async (context, text, limit) =>
      (await load(context, searchSelection(text.trim()), order)({ size: limit })).items,
  };
}

interface RemoteFindOptions<Item> {
  /** Loads the results of a search. */
  readonly load: (context: Context, text: string) => Load<Item>;
  readonly byIds: Entity<Item>['byIds'];
  /** An item's identifiers, in order of precedence. See {@link findExactMatches}. */
  readonly identifiers: readonly IdentifiersOf<Item>[];
}

/** Implements `find` on top of a search. Text that starts with `#` is an id. */
export function remoteFind<Item>({ load, byIds, identifiers }: RemoteFindOptions<Item>): Entity<Item>['find'] {
  return async (context, text) => {
    const query = text.trim();
    if (query.startsWith('#')) return byIds(context, [query.slice(1)]);
    return findExactMatches(await loadAllPages(load(context, query)), query, ...identifiers);
  };
}

/** The maximum number of texts in a search. Our server accepts 20, and the contract defines no limit. */
const SEARCHES_PER_REQUEST = 20;

/** Implements `findMany` on top of an rpc that can search for several texts at once. */
export function remoteFindMany<Item>({
  load,
  identifiers,
}: {
  /** Loads the items that any of the texts finds. */
  readonly load: (context: Context, texts: readonly string[]) => Load<Item>;
  readonly identifiers: readonly IdentifiersOf<Item>[];
}): NonNullable<Entity<Item>['findMany']> {
  return async (context, names) => {
    const found = new Map<string, readonly Item[]>();
    for (const part of chunks(names, SEARCHES_PER_REQUEST)) {
      context.signal.throwIfAborted();
      const matchesOf = exactMatcher(await loadAllPages(load(context, part)), ...identifiers);
      for (const name of part) found.set(name, matchesOf(name));
    }
    return found;
  };
}

/** The number of items to load instead of looking up one name. Loading this many takes about as long. */
const ITEMS_PER_NAME = 100;

/** The minimum number of names to search for together. Fewer take as many requests one by one. */
const MIN_NAMES = 4;

const wordsOf = (name: string): readonly string[] => name.trim().toLocaleLowerCase().split(/\s+/);

/**
 * Implements `findMany` for an rpc that can search for only one text at a time. Loads the whole list or, if it is too
 * long for the number of names, what the first words find that several names have in common.
 */
export function listFindMany<Item>({
  load,
  identifiers,
}: {
  /** Loads the results of a search. An empty string finds everything. */
  readonly load: (context: Context, text: string) => Load<Item>;
  readonly identifiers: readonly IdentifiersOf<Item>[];
}): NonNullable<Entity<Item>['findMany']> {
  return async (context, names) => {
    const found = new Map<string, readonly Item[]>();
    const findTogether = async (group: readonly string[], words: readonly string[]): Promise<void> => {
      context.signal.throwIfAborted();
      const text = words.join(' ');
      const { pagination } = await load(context, text)({ page: 0, size: 1 });
      if ((pagination?.total ?? Infinity) <= group.length * ITEMS_PER_NAME) {
        const matchesOf = exactMatcher(await loadAllPages(load(context, text)), ...identifiers);
        for (const name of group) found.set(name, matchesOf(name));
        return;
      }
      const longerNames = group.filter((name) => wordsOf(name).length > words.length + 1);
      for (const [word, part] of groupBy(longerNames, (name) => wordsOf(name)[words.length] ?? ''))
        if (part.length >= MIN_NAMES) await findTogether(part, [...words, word]);
    };
    if (names.length > 0) await findTogether(names, []);
    return found;
  };
}

/**
 * Implements `byIds` for an rpc that can filter by id. The rpc's error counts only the items missing from one request,
 * so a lookup that takes several requests throws a CommandError instead.
 */
export function remoteByIds<Item, Selection>(
  load: LoadSelection<Item, Selection>,
  withIds: (ids: readonly string[]) => Selection,
): Entity<Item>['byIds'] {
  return async (context, ids) => {
    try {
      return await loadInChunks(ids, (chunk) => loadAllPages(load(context, withIds(chunk))));
    } catch (error) {
      const isMissing = ConnectError.from(error).code === Code.NotFound;
      if (!isMissing || ids.length <= IDS_PER_REQUEST) throw error;
      throw new CommandError(message('running:lookup.someMissing', { organization: context.organization.name }));
    }
  };
}
