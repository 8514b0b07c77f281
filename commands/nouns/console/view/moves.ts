import { command, type Command } from '#commands/model/command.ts';
import { requireCapability } from '#commands/model/context.ts';
import type { TableHost } from '#commands/model/screen-hosts.ts';

interface Move {
  readonly verb: string;
  readonly keys: readonly string[];
  /** True if holding the key repeats the move. */
  readonly repeats?: boolean;
  /** True if the move changes the listed rows, so it does not have to wait for rows to load. */
  readonly changesRows?: boolean;
  /** True to list the move in the palette. */
  readonly inPalette?: boolean;
  readonly act: (table: TableHost) => void;
}

function moveCommand({ verb, keys, repeats = false, changesRows = false, inPalette = false, act }: Move): Command {
  return command({
    id: `view.${verb}`,
    effect: 'navigate',
    needs: ['table'],
    keys,
    repeats,
    onRows: !changesRows,
    unlisted: !inPalette,
    run: async (context) => {
      act(requireCapability(context, 'table'));
      return {};
    },
  });
}

/** Commands that move the active row, or change the selection or the filter. */
export const moves: readonly Command[] = [
  moveCommand({ verb: 'next-row', keys: ['j', 'ArrowDown'], repeats: true, act: (table) => table.move(1) }),
  moveCommand({ verb: 'previous-row', keys: ['k', 'ArrowUp'], repeats: true, act: (table) => table.move(-1) }),
  moveCommand({ verb: 'next-page', keys: ['PageDown'], repeats: true, act: (table) => table.page(1) }),
  moveCommand({ verb: 'previous-page', keys: ['PageUp'], repeats: true, act: (table) => table.page(-1) }),
  moveCommand({ verb: 'first-row', keys: ['g g', 'Home'], act: (table) => table.moveToEdge('first') }),
  moveCommand({ verb: 'last-row', keys: ['Shift+G', 'End'], act: (table) => table.moveToEdge('last') }),
  moveCommand({ verb: 'select-row', keys: ['x'], act: (table) => table.toggleActiveRow() }),
  moveCommand({
    verb: 'extend-down',
    keys: ['Shift+J', 'Shift+ArrowDown'],
    repeats: true,
    act: (table) => table.move(1, true),
  }),
  moveCommand({
    verb: 'extend-up',
    keys: ['Shift+K', 'Shift+ArrowUp'],
    repeats: true,
    act: (table) => table.move(-1, true),
  }),
  moveCommand({ verb: 'select-all', keys: ['*'], inPalette: true, act: (table) => table.selectAll() }),
  moveCommand({ verb: 'edit-filter', keys: ['/'], changesRows: true, act: (table) => table.editFilter() }),
  moveCommand({ verb: 'clear-filter', keys: ['0'], changesRows: true, act: (table) => table.setFilter('') }),
];
