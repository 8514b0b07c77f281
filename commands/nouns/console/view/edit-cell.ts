import { command, type Command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import type { RegistrySummary } from '#commands/registry/summary.ts';
import { editableColumns, type EditableColumns } from '#commands/run/cell-edit.ts';
import { message, type Message } from '#commands/text/message.ts';
import { listNearest } from '#commands/text/near.ts';

/**
 * Edits a cell of the active row in place: the given column, the one edited last, or else the first that the user can
 * edit.
 */
export function editCellCommand(registry: RegistrySummary): Command {
  const entityOf = ({ host: { table } }: Context): AnyEntity | undefined =>
    table && registry.entity(table.entityName());
  const columnsOf = (context: Context): EditableColumns => {
    const entity = entityOf(context);
    const shownIds = context.host.table?.columns() ?? [];
    return entity ? editableColumns(entity, shownIds, registry.command, context) : { columns: [] };
  };
  const blockedReason = (context: Context): Message | undefined => {
    const { table, panel } = context.host;
    if (panel?.isFullScreen()) return message('view:noTable');
    if (table?.activeRowId() === undefined) return message('view:noRow');
    const { columns, reason } = columnsOf(context);
    return columns.length > 0 ? undefined : (reason?.message ?? message('view:noEditableColumn'));
  };
  return command({
    id: 'view.edit-cell',
    effect: 'navigate',
    needs: ['table'],
    keys: ['F2'],
    onRows: true,
    params: {
      column: p.text({
        closed: true,
        suggest: async (context) => {
          const entity = entityOf(context);
          if (!entity) return [];
          return columnsOf(context).columns.map((column) => ({
            value: column.id,
            label: column.id,
            message: entityLabels.column(entity, column),
            detail: column.id,
          }));
        },
      }),
    },
    positional: ['column'],
    blockedReason,
    run: async (context, { column }) => {
      const table = requireCapability(context, 'table');
      const ids = columnsOf(context).columns.map(({ id }) => id);
      if (column !== undefined && !ids.includes(column))
        throw new CommandError(message('view:notEditable', { column, columns: listNearest(column, ids) }), 'column');
      const last = table.editedColumn();
      const id = column ?? (last !== undefined && ids.includes(last) ? last : ids[0]);
      if (id !== undefined) await table.editCell(id);
      return {};
    },
  });
}
