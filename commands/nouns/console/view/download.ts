import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { p } from '#commands/model/params.ts';
import type { RegistrySummary } from '#commands/registry/summary.ts';
import { csvName } from '#commands/text/csv.ts';
import { message } from '#commands/text/message.ts';

/** Saves the table as CSV: the selected rows or what the filter matches, in its sort, with the visible columns. */
export function downloadCommand(registry: RegistrySummary): Command {
  return command({
    id: 'view.download',
    effect: 'read',
    needs: ['table', 'csv'],
    keys: ['>'],
    onRows: true,
    params: { all: p.flag(), formulas: p.flag() },
    run: async (context, { all, formulas }) => {
      const table = requireCapability(context, 'table');
      const entity = registry.entity(table.entityName());
      if (!entity) throw new CommandError(message('view:noTable'));
      const { focus } = context;
      const selection = !all && focus?.entity === entity.name ? focus.target : undefined;
      const columns = table.columns();
      const { streamList } = await import('#commands/kit/list-stream.ts');
      const rows = streamList(
        {
          entity,
          target: selection ?? { query: table.filterText() },
          columns: entity.columns.filter(({ id }) => columns.includes(id)),
          formulas,
        },
        context,
      );
      await requireCapability(context, 'csv').save(csvName(entity.plural, context.now()), rows);
      const { rows: count, total, isCapped } = rows.counts();
      return {
        message: message(isCapped ? 'view:done.downloadedPart' : 'view:done.downloaded', { count, total }),
      };
    },
  });
}
