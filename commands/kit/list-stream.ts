import { toJson } from '@bufbuild/protobuf';

import type { Column } from '#commands/model/column.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import type { RowStream } from '#commands/model/host.ts';
import type { NamedTarget } from '#commands/model/target.ts';
import { compileText } from '#commands/query/compile.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { LOOKUP_PAGE_SIZE } from '#commands/run/lookup.ts';
import { chunks, IDS_PER_REQUEST } from '#commands/run/paging.ts';

interface ListStreamSpec {
  readonly entity: AnyEntity;
  /** The rows: what a filter matches, in its sort, or the items with some ids. */
  readonly target: NamedTarget;
  readonly columns: readonly Column<unknown>[];
  readonly limit?: number | undefined;
  readonly formulas?: boolean;
}

export interface ListStream extends RowStream {
  /** Returns the number of rows so far, of all rows that match, and whether the server returned only some of them. */
  counts(): { readonly rows: number; readonly total: number; readonly isCapped: boolean };
}

/** Returns a list as CSV that loads page by page while it is written, so memory doesn't limit its length. */
export function streamList(
  { entity, target, columns, limit = Infinity, formulas = false }: ListStreamSpec,
  context: Context,
): ListStream {
  let [rows, received, total] = [0, 0, 0];
  async function* batches(): AsyncGenerator<readonly unknown[]> {
    const completes = columns.some(({ optional }) => optional);
    for await (const page of loadPages(entity, target, Math.min(limit, LOOKUP_PAGE_SIZE), context)) {
      const items = page.items.slice(0, limit - rows);
      received += page.received;
      total = page.total;
      rows += items.length;
      if (items.length > 0) yield completes ? await addDeferredValues(entity, context, items) : items;
      context.progress({ done: rows, total: Math.min(total, limit) });
      if (rows >= limit) return;
    }
  }
  return {
    columns: columns.map((column) => ({ ...column, head: entityLabels.column(entity, column) })),
    batches: batches(),
    json: (row) => entity.json(row, toJson),
    csv: true,
    formulas,
    counts: () => ({ rows, total, isCapped: rows < limit && received < total }),
  };
}

interface ListPage {
  readonly items: readonly unknown[];
  /** The number of items in the response. */
  readonly received: number;
  readonly total: number;
}

async function* loadPages(
  entity: AnyEntity,
  target: NamedTarget,
  size: number,
  context: Context,
): AsyncGenerator<ListPage> {
  if ('ids' in target) {
    for (const ids of chunks(target.ids, IDS_PER_REQUEST)) {
      context.signal.throwIfAborted();
      const itemsById = new Map((await entity.byIds(context, ids)).map((item) => [entity.id(item), item]));
      // An item may have been deleted meanwhile.
      yield { items: ids.flatMap((id) => itemsById.get(id) ?? []), received: ids.length, total: target.ids.length };
    }
    return;
  }
  const compiledFilter = await compileText(entity, target.query === '*' ? '' : target.query, context);
  let received = 0;
  let before: ReadonlySet<string> = new Set();
  for (let page = 0; ; page++) {
    context.signal.throwIfAborted();
    const { items, total } = await entity.list(context, compiledFilter, { page, size });
    received += items.length;
    // If the list changes meanwhile, a row can move from one page to the next.
    const ids = new Set(items.map((item) => entity.id(item)));
    const isKnown = (item: unknown): boolean => before.has(entity.id(item));
    yield { items: items.filter((item) => !isKnown(item)), received: items.length, total };
    before = ids;
    if (items.length === 0 || received >= total) return;
  }
}

/** Adds the values that optional columns show. */
export async function addDeferredValues(
  entity: AnyEntity,
  context: Context,
  items: readonly unknown[],
): Promise<readonly unknown[]> {
  const { deferredValues } = entity;
  if (!deferredValues) return items;
  const values = await deferredValues.load(context, items);
  return items.map((item) => deferredValues.add(item, values.get(entity.id(item))));
}

/** Returns the columns that a list shows by default. Some are useful only with their filter key. */
export function defaultColumns(entity: AnyEntity, filterText: string): readonly Column<unknown>[] {
  const keys = parseFilter(filterText, entity).filter.terms.map(({ key }) => key);
  return entity.columns.filter(({ optional, when }) => !optional && (!when || keys.includes(when)));
}
