import { Code, ConnectError } from '@connectrpc/connect';

import type { Context } from '#commands/model/context.ts';
import type { Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { chunks, IDS_PER_REQUEST, loadAllPages, loadInChunks, loadWindow, type Load } from '#commands/run/paging.ts';
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

/** Implements `findMany` by loading the whole list, unless it is too long for the number of names. */
export function listFindMany<Item>({
  load,
  identifiers,
}: {
  readonly load: (context: Context) => Load<Item>;
  readonly identifiers: readonly IdentifiersOf<Item>[];
}): NonNullable<Entity<Item>['findMany']> {
  return async (context, names) => {
    const { pagination } = await load(context)({ page: 0, size: 1 });
    if (names.length === 0 || (pagination?.total ?? Infinity) > names.length * ITEMS_PER_NAME) return new Map();
    const matchesOf = exactMatcher(await loadAllPages(load(context)), ...identifiers);
    return new Map(names.map((name) => [name, matchesOf(name)]));
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
