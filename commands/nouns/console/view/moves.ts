import { command, type Command } from '#commands/model/command.ts';
import { need } from '#commands/model/context.ts';
import type { TableHost } from '#commands/model/host.ts';

interface Move {
  readonly verb: string;
  readonly keys: readonly string[];
  /** Acts again while the key is held. */
  readonly repeats?: boolean;
  /** Says what is listed, and waits for no rows. */
  readonly lists?: boolean;
  /** Also found in the palette. */
  readonly listed?: boolean;
  readonly act: (table: TableHost) => void;
}

function move({ verb, keys, repeats = false, lists = false, listed = false, act }: Move): Command {
  return command({
    id: `view.${verb}`,
    effect: 'navigate',
    needs: ['table'],
    keys,
    repeats,
    onRows: !lists,
    quiet: !listed,
    run: async (context) => {
      act(need(context, 'table'));
      return {};
    },
  });
}

/** The active row and the selection of the table. */
export const moves: readonly Command[] = [
  move({ verb: 'next-row', keys: ['j', 'ArrowDown'], repeats: true, act: (table) => table.move(1) }),
  move({ verb: 'previous-row', keys: ['k', 'ArrowUp'], repeats: true, act: (table) => table.move(-1) }),
  move({ verb: 'next-page', keys: ['PageDown'], repeats: true, act: (table) => table.page(1) }),
  move({ verb: 'previous-page', keys: ['PageUp'], repeats: true, act: (table) => table.page(-1) }),
  move({ verb: 'first-row', keys: ['g g', 'Home'], act: (table) => table.edge('first') }),
  move({ verb: 'last-row', keys: ['Shift+G', 'End'], act: (table) => table.edge('last') }),
  move({ verb: 'select-row', keys: ['x'], act: (table) => table.toggle() }),
  move({
    verb: 'extend-down',
    keys: ['Shift+J', 'Shift+ArrowDown'],
    repeats: true,
    act: (table) => table.move(1, true),
  }),
  move({ verb: 'extend-up', keys: ['Shift+K', 'Shift+ArrowUp'], repeats: true, act: (table) => table.move(-1, true) }),
  move({ verb: 'select-all', keys: ['*'], listed: true, act: (table) => table.all() }),
  move({ verb: 'edit-filter', keys: ['/'], lists: true, act: (table) => table.editFilter() }),
  move({ verb: 'clear-filter', keys: ['0'], lists: true, act: (table) => table.setFilter('') }),
];
