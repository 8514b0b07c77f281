import type { Column } from '#commands/model/column.ts';
import { command, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { requireCapability } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity, type Entity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Params } from '#commands/model/kinds.ts';
import { p, required } from '#commands/model/params.ts';
import type { Outcome } from '#commands/model/result.ts';
import { compileText } from '#commands/query/compile.ts';
import { FilterError } from '#commands/query/problem.ts';
import { sortSuggestions } from '#commands/query/sorts.ts';
import { LOOKUP_PAGE_SIZE } from '#commands/run/lookup.ts';
import { message } from '#commands/text/message.ts';
import { listNearest } from '#commands/text/near.ts';

/** The default number of rows to print. */
const DEFAULT_LIMIT = 100;

const listParams = (entity: AnyEntity) => ({
  filter: p.query(() => entity),
  sort: p.words({
    closed: true,
    suggest: async () => sortSuggestions(entity),
  }),
  /** All rows with `csv`, or else {@link DEFAULT_LIMIT}. */
  limit: p.number({ integer: true, min: 1, max: 100_000 }),
  columns: p.words({
    closed: true,
    suggest: async () =>
      entity.columns.map((column) => ({
        value: column.id,
        label: column.id,
        message: entityLabels.column(entity, column),
        detail: column.id,
      })),
  }),
  csv: p.flag(),
  formulas: p.flag(),
});

/**
 * Declares a command such as `device.list`, which opens the entity's screen in the console and prints the rows in the
 * CLI. Its key is the screen's key.
 */
export function listCommand<Item, Selection>(entity: Entity<Item, Selection>): Command {
  return command({
    id: `${entity.name}.list`,
    ...(entity.requires ? { requires: entity.requires } : {}),
    ...(entity.features ? { features: entity.features } : {}),
    effect: 'navigate',
    ...(entity.screen?.key ? { keys: [entity.screen.key] } : {}),
    params: listParams(entity),
    positional: ['filter'],
    run: async (context, { filter = '', sort = [], limit, columns = [], csv, formulas }) => {
      const terms = filter === '*' ? '' : filter;
      const text = [terms, sort.length > 0 ? `sort:${sort.join(',')}` : ''].filter(Boolean).join(' ');
      if (context.host.output) {
        const spec = { text, limit, columns: findColumns(entity, columns), formulas };
        return (csv ? printCsv : print)(entity, spec, context).catch((error: unknown) => {
          throw error instanceof CommandError ? error.forParam(faultyParam(error, terms, sort)) : error;
        });
      }
      requireCapability(
        context,
        'navigate',
      )({ path: entity.screen?.path ?? '/', search: text ? { filter: text } : {} });
      return {};
    },
  });
}

/** Returns the param that caused an error. In the compiled text, the sort follows the filter. */
function faultyParam(error: CommandError, filter: string, sort: readonly string[]): 'filter' | 'sort' {
  const isInFilter = error instanceof FilterError && error.problem.from < filter.length;
  return sort.length === 0 || isInFilter ? 'filter' : 'sort';
}

/**
 * Returns the columns with the given ids.
 *
 * @throws CommandError if the entity has no such column
 */
function findColumns(entity: AnyEntity, ids: readonly string[]): readonly Column<unknown>[] {
  return ids.map((id) => {
    const match = entity.columns.find((column) => column.id === id);
    if (match) return match;
    const columns = listNearest(
      id,
      entity.columns.map((column) => column.id),
    );
    throw new CommandError(message('core:cli.noColumn', { column: id, columns }), 'columns');
  });
}

interface PrintSpec {
  /** The filter with the sort. */
  readonly text: string;
  readonly limit: number | undefined;
  /** Empty for the default columns. */
  readonly columns: readonly Column<unknown>[];
  readonly formulas: boolean;
}

async function print(
  entity: AnyEntity,
  { text, limit = DEFAULT_LIMIT, columns }: PrintSpec,
  context: Context,
): Promise<Outcome> {
  const compiledFilter = await compileText(entity, text, context);
  const completes = columns.some(({ optional }) => optional);
  const items: unknown[] = [];
  let total = 0;
  for (let page = 0; items.length < limit; page++) {
    context.signal.throwIfAborted();
    const rows = await entity.list(context, compiledFilter, { page, size: Math.min(limit, LOOKUP_PAGE_SIZE) });
    total = rows.total;
    items.push(...(completes ? await (await streams()).addDeferredValues(entity, context, rows.items) : rows.items));
    if (rows.items.length === 0 || items.length >= total) break;
  }
  const staffOnly = await entity.staffOnly?.(context, compiledFilter);
  const listing = {
    entity: entity.name,
    items: items.slice(0, limit),
    total,
    ...(columns.length > 0 ? { columns: columns.map(({ id }) => id) } : {}),
  };
  requireCapability(context, 'output').list(staffOnly ? { ...listing, staffOnly } : listing);
  return {};
}

/** Prints all rows as CSV, unless there is a limit. */
async function printCsv(
  entity: AnyEntity,
  { text, limit, columns, formulas }: PrintSpec,
  context: Context,
): Promise<Outcome> {
  const { defaultColumns, streamList } = await streams();
  const shownColumns = columns.length > 0 ? columns : defaultColumns(entity, text);
  const spec = { entity, target: { query: text }, columns: shownColumns, limit, formulas };
  await requireCapability(context, 'output').stream(streamList(spec, context));
  return {};
}

/** Only a terminal prints lists. */
const streams = () => import('./list-stream.ts');

/** Declares a command such as `device.open`, which shows one item in the panel, or prints it in the CLI. */
export function openCommand<Item, Selection>(entity: Entity<Item, Selection>): Command {
  const params: Params = { [entity.name]: required(p.ref(() => entity as unknown as Entity<Item>)) };
  return command({
    id: `${entity.name}.open`,
    ...(entity.requires ? { requires: entity.requires } : {}),
    ...(entity.features ? { features: entity.features } : {}),
    effect: 'navigate',
    choosesItem: true,
    params,
    positional: [entity.name],
    run: async (context, args) => {
      const item = args[entity.name] as Item;
      if (context.host.output) context.host.output.list({ entity: entity.name, items: [item], total: 1, detail: true });
      else requireCapability(context, 'panel').open(entity.name, entity.id(item));
      return { message: message('common:done.opened', { label: entity.label(item) }) };
    },
  });
}
