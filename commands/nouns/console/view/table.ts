import { parseFilter } from '#commands/query/parse.ts';
import { cycleSort, withSort } from '#commands/query/edit.ts';
import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import { message, type Message } from '#commands/text/message.ts';
import { p, required } from '#commands/model/params.ts';
import { sortSuggestions, sortTitle } from '#commands/query/sorts.ts';
import { compileText } from '#commands/query/compile.ts';
import { sortNamed } from '#commands/query/keys.ts';

/** The commands of a table that have to know what it lists. `entities` are those of the product. */
export function tableCommands(entities: readonly AnyEntity[]): readonly Command[] {
  const shown = (context: Context): AnyEntity => {
    const name = need(context, 'table').entity();
    const found = entities.find((entity) => entity.name === name);
    if (!found) throw new CommandError(message('view:noTable'));
    return found;
  };
  /** The panel may show an item of another kind than the table lists. */
  const listed = ({ host }: Context): AnyEntity | undefined =>
    entities.find((entity) => entity.name === host.table?.entity());

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
      table.setFilter(withSort(parseFilter(table.filter(), of), sorts));
      return {};
    },
  });

  /** A press on the title of a column: by it, by it the other way round, no longer by it. */
  const turnSort = command({
    id: 'view.turn-sort',
    effect: 'navigate',
    needs: ['table'],
    quiet: true,
    params: {
      by: required(
        p.text({
          suggest: async (context) =>
            sortsOfColumns(listed(context)).map(({ of, sort }) => ({
              value: sort,
              label: sort,
              message: sortTitle(of, sort),
            })),
        }),
      ),
    },
    positional: ['by'],
    blocked: (context) => unsortable(listed(context)),
    run: async (context, { by }) => {
      const table = need(context, 'table');
      const of = shown(context);
      const sorts = sortsOfColumns(of).map(({ sort }) => sort);
      if (!sorts.includes(by))
        throw new CommandError(message('view:unknownColumnSort', { sort: by, sorts: sorts.join(', ') }), 'by');
      table.setFilter(cycleSort(parseFilter(table.filter(), of), by));
      return {};
    },
  });

  /** `1`…`9`: the views above the table, in their order. */
  const saved = Array.from({ length: 9 }, (_, index) =>
    command({
      id: `view.saved-${index + 1}`,
      effect: 'navigate',
      needs: ['table'],
      keys: [`${index + 1}`],
      quiet: true,
      blocked: (context): Message | undefined =>
        listed(context)?.views?.[index] ? undefined : message('view:noView', { number: index + 1 }),
      run: async (context) => {
        const view = shown(context).views?.[index];
        if (!view) throw new CommandError(message('view:noView', { number: index + 1 }));
        need(context, 'table').setFilter(view.filter);
        return {};
      },
    }),
  );

  /**
   * Loads what failed to load. Where nothing did: events keep lists up to date by themselves, so this is for somebody
   * who wants to be sure.
   */
  const refresh = command({
    id: 'view.refresh',
    effect: 'navigate',
    needs: ['loads'],
    keys: ['Shift+L'],
    run: async (context) => (need(context, 'loads').retry() ? {} : { changed: entities.map(({ name }) => name) }),
  });

  return [filter, sort, turnSort, refresh, ...saved];
}

/** What the titles of a table sort by. */
function sortsOfColumns(entity: AnyEntity | undefined): readonly { readonly of: AnyEntity; readonly sort: string }[] {
  return entity?.columns.flatMap(({ sort }) => (sort === undefined ? [] : { of: entity, sort })) ?? [];
}

function unsortable(entity: AnyEntity | undefined): Message | undefined {
  return entity?.sorts.length === 0 ? message('view:oneOrder') : undefined;
}
