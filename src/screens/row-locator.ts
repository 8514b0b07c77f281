import { onlyIds } from '#commands/query/edit.ts';
import type { ParsedFilter } from '#commands/query/parse.ts';
import { loadParser } from '#src/registry/filter-language.ts';
import { contextNow } from '#src/run/context.ts';
import { locate } from '#src/table/locate.ts';
import type { RowSource } from '#src/table/row-source.ts';

interface RowLocator {
  /** Returns the index of an item in the list, or undefined if it isn't in the list. */
  locate(id: string, signal: AbortSignal): Promise<number | undefined>;
  /** Searches the list of another filter from now on. */
  setFilter(filter: ParsedFilter): void;
}

/** Finds items in the filtered list of an entity, whether or not their rows are loaded. */
export function createRowLocator(source: RowSource<unknown>, first: ParsedFilter): RowLocator {
  let filter = first;
  return {
    locate: (id, signal) =>
      locate({ source, rowId: (row) => filter.entity.id(row), id, sortIds: createIdSorter(filter), signal }),
    setFilter(next) {
      filter = next;
    },
  };
}

/**
 * Creates a function that requests the order of the given ids in the list.
 *
 * @returns undefined if the entity can't be filtered by id
 */
function createIdSorter(filter: ParsedFilter) {
  const { entity } = filter;
  if (entity.idKey === undefined) return undefined;
  return async (ids: readonly string[], signal: AbortSignal): Promise<readonly string[]> => {
    const context = contextNow({ signal });
    const { compileText } = await loadParser();
    const compiledFilter = await compileText(entity, onlyIds(filter, ids) ?? '', context);
    const { items } = await entity.list(context, compiledFilter, { page: 0, size: ids.length });
    return items.map((item) => entity.id(item));
  };
}
