import { withSort } from '../query/edit.ts';
import { command, type Command } from '../core/command.ts';
import { need } from '../core/context.ts';
import type { Context } from '../core/context.ts';
import type { AnyEntity } from '../core/entity.ts';
import { CommandError } from '../core/errors.ts';
import { message, type Message } from '../core/message.ts';
import { p, required } from '../core/params.ts';
import { sortSuggestions } from '../core/sorts.ts';
import { compileText } from '../query/compile.ts';
import { sortNamed } from '../query/keys.ts';

/** The commands of a table that have to know what it lists. `entities` are those of the product. */
export function tableCommands(entities: readonly AnyEntity[]): readonly Command[] {
  const shown = (context: Context): AnyEntity => {
    const name = need(context, 'table').entity();
    const found = entities.find((each) => each.name === name);
    if (!found) throw new CommandError(message('view:noTable'));
    return found;
  };
  /** The panel may show an item of another kind than the table lists. */
  const listed = ({ host }: Context): AnyEntity | undefined =>
    entities.find((each) => each.name === host.table?.entity());

  const filter = command({
    id: 'view.filter',
    effect: 'navigate',
    needs: ['table'],
    params: { filter: required(p.text({ clears: true })) },
    positional: ['filter'],
    run: async (context, { filter: text }) => {
      // Refused here, so that the rows of the last good filter stay.
      await compileText(shown(context), text, context);
      need(context, 'table').setFilter(text);
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
          suggest: async (context) => {
            const of = listed(context);
            return of ? sortSuggestions(of) : [];
          },
        }),
      ),
    },
    positional: ['by'],
    blocked: (context) => unsortable(listed(context)),
    run: async (context, { by }) => {
      const table = need(context, 'table');
      const of = shown(context);
      const wrong = by.find((name) => sortNamed(of, name) === undefined);
      if (wrong !== undefined)
        throw new CommandError(message('view:unknownSort', { sort: wrong, sorts: of.sorts.join(', ') }), 'by');
      const sorts = by.flatMap((name) => sortNamed(of, name) ?? []);
      table.setFilter(withSort(table.filter(), of, sorts));
      return {};
    },
  });

  /** `1`…`9`: the views above the table, in their order. */
  const saved = Array.from({ length: 9 }, (_, at) =>
    command({
      id: `view.saved-${at + 1}`,
      effect: 'navigate',
      needs: ['table'],
      keys: [`${at + 1}`],
      quiet: true,
      blocked: (context): Message | undefined =>
        listed(context)?.views?.[at] ? undefined : message('view:noView', { number: at + 1 }),
      run: async (context) => {
        const view = shown(context).views?.[at];
        if (!view) throw new CommandError(message('view:noView', { number: at + 1 }));
        need(context, 'table').setFilter(view.filter);
        return {};
      },
    }),
  );

  /** Events keep lists up to date by themselves; this is for somebody who wants to be sure. */
  const refresh = command({
    id: 'view.refresh',
    effect: 'navigate',
    needs: ['navigate'],
    run: async () => ({ changed: entities.map(({ name }) => name) }),
  });

  return [filter, sort, refresh, ...saved];
}

function unsortable(of: AnyEntity | undefined): Message | undefined {
  return of?.sorts.length === 0 ? message('view:oneOrder') : undefined;
}
