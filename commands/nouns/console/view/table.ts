import type { Column } from '#commands/model/column.ts';
import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p, required } from '#commands/model/params.ts';
import type { Suggestion } from '#commands/model/suggestion.ts';
import { compileText } from '#commands/query/compile.ts';
import { cycleSort, withSort } from '#commands/query/edit.ts';
import { findSort } from '#commands/query/keys.ts';
import { parseFilter } from '#commands/query/parse.ts';
import { sortSuggestions, sortTitle } from '#commands/query/sorts.ts';
import type { RegistrySummary } from '#commands/registry/summary.ts';
import { message, type Message } from '#commands/text/message.ts';
import { listNearest } from '#commands/text/near.ts';

/** Returns the table commands that depend on the listed entity. */
export function tableCommands(registry: RegistrySummary): readonly Command[] {
  const requireTableEntity = (context: Context): AnyEntity => {
    const entity = registry.entity(requireCapability(context, 'table').entityName());
    if (!entity) throw new CommandError(message('view:noTable'));
    return entity;
  };
  /** Returns the entity of the table, not of the focus, because the panel may show an item of another entity. */
  const tableEntity = ({ host: { table } }: Context): AnyEntity | undefined =>
    table && registry.entity(table.entityName());

  const filter = command({
    id: 'view.filter',
    effect: 'navigate',
    needs: ['table'],
    params: { filter: required(p.text({ clears: true })) },
    positional: ['filter'],
    run: async (context, { filter: text }) => {
      // Reject an invalid filter before replacing the current rows.
      await compileText(requireTableEntity(context), text, context);
      requireCapability(context, 'table').setFilter(text);
      return {};
    },
  });

  const sort = command({
    id: 'view.sort',
    effect: 'navigate',
    needs: ['table'],
    keys: ['s'],
    params: {
      by: required(
        p.words({
          closed: true,
          suggest: async (context) => {
            const entity = tableEntity(context);
            return entity ? sortSuggestions(entity) : [];
          },
        }),
      ),
    },
    positional: ['by'],
    blockedReason: (context) => sortProblem(tableEntity(context)),
    run: async (context, { by }) => {
      const table = requireCapability(context, 'table');
      const entity = requireTableEntity(context);
      const unknownName = by.find((name) => findSort(entity, name) === undefined);
      if (unknownName !== undefined)
        throw new CommandError(
          message('view:unknownSort', { sort: unknownName, sorts: listNearest(unknownName, entity.sorts) }),
          'by',
        );
      const sorts = by.flatMap((name) => findSort(entity, name) ?? []);
      table.setFilter(withSort(parseFilter(table.filterText(), entity), sorts));
      return {};
    },
  });

  /** Handles a click on a column heading, which sorts ascending, then descending, then not at all. */
  const cycleColumnSort = command({
    id: 'view.cycle-sort',
    effect: 'navigate',
    needs: ['table'],
    unlisted: true,
    params: {
      by: required(
        p.text({
          closed: true,
          suggest: async (context) =>
            columnSorts(tableEntity(context)).map(({ entity, sort }) => ({
              value: sort,
              label: sort,
              message: sortTitle(entity, sort),
            })),
        }),
      ),
    },
    positional: ['by'],
    blockedReason: (context) => sortProblem(tableEntity(context)),
    run: async (context, { by }) => {
      const table = requireCapability(context, 'table');
      const entity = requireTableEntity(context);
      const sorts = columnSorts(entity).map(({ sort }) => sort);
      if (!sorts.includes(by))
        throw new CommandError(message('view:unknownColumnSort', { sort: by, sorts: listNearest(by, sorts) }), 'by');
      table.setFilter(cycleSort(parseFilter(table.filterText(), entity), by));
      return {};
    },
  });

  const toggleColumn = command({
    id: 'view.toggle-column',
    effect: 'navigate',
    needs: ['table'],
    keys: ['Shift+S'],
    params: {
      column: required(
        p.text({
          closed: true,
          suggest: async (context) => {
            const entity = tableEntity(context);
            const shownColumns = context.host.table?.columns() ?? [];
            return entity ? columnSuggestions(entity, shownColumns) : [];
          },
        }),
      ),
    },
    positional: ['column'],
    run: async (context, { column }) => {
      const table = requireCapability(context, 'table');
      const entity = requireTableEntity(context);
      const columns = optionalColumns(entity);
      const match = columns.find(({ id }) => id === column);
      if (!match) {
        const ids = columns.map(({ id }) => id);
        throw new CommandError(message('view:unknownColumn', { column, columns: listNearest(column, ids) }), 'column');
      }
      const isShown = table.columns().includes(match.id);
      table.showColumns({ [match.id]: !isShown });
      const name = entityLabels.column(entity, match);
      return { message: message(isShown ? 'view:done.hidden' : 'view:done.shown', { name }) };
    },
  });

  /** The keys `1` to `9` show the views above the table, in order. */
  const savedViews = Array.from({ length: 9 }, (_, index) =>
    command({
      id: `view.saved-${index + 1}`,
      effect: 'navigate',
      needs: ['table'],
      keys: [`${index + 1}`],
      unlisted: true,
      blockedReason: (context): Message | undefined =>
        tableEntity(context)?.views?.[index] ? undefined : message('view:noView', { number: index + 1 }),
      run: async (context) => {
        const view = requireTableEntity(context).views?.[index];
        if (!view) throw new CommandError(message('view:noView', { number: index + 1 }));
        requireCapability(context, 'table').setFilter(view.filter);
        return {};
      },
    }),
  );

  /**
   * Retries failed loads. If none failed, reloads everything. Events keep lists up to date, but users may want to make
   * sure.
   */
  const refresh = command({
    id: 'view.refresh',
    effect: 'navigate',
    needs: ['loads'],
    keys: ['Shift+L'],
    run: async (context) => (requireCapability(context, 'loads').retry() ? {} : { changed: registry.entityNames }),
  });

  return [filter, sort, cycleColumnSort, toggleColumn, refresh, ...savedViews];
}

/** Returns the columns that can be shown and hidden, which are all but those that identify a row. */
function optionalColumns(entity: AnyEntity): readonly Column<unknown>[] {
  const nameIndex = entity.columns.findIndex(({ kind }) => kind !== 'health');
  return entity.columns.filter(({ when }, index) => index > nameIndex && when === undefined);
}

/** Suggests the hidden columns first. */
function columnSuggestions(entity: AnyEntity, shownColumns: readonly string[]): readonly Suggestion[] {
  const isShown = ({ id }: Column<unknown>): boolean => shownColumns.includes(id);
  const columns = optionalColumns(entity);
  return [...columns.filter((column) => !isShown(column)), ...columns.filter(isShown)].map((column) => ({
    value: column.id,
    label: column.id,
    message: message(isShown(column) ? 'view:column.shown' : 'view:column.hidden', {
      name: entityLabels.column(entity, column),
    }),
    detail: column.id,
  }));
}

/** Returns the sorts of a table's column headings. */
function columnSorts(entity: AnyEntity | undefined): readonly { readonly entity: AnyEntity; readonly sort: string }[] {
  return entity?.columns.flatMap(({ sort }) => (sort === undefined ? [] : { entity, sort })) ?? [];
}

function sortProblem(entity: AnyEntity | undefined): Message | undefined {
  return entity?.sorts.length === 0 ? message('view:notSortable') : undefined;
}
