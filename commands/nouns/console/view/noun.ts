import type { Noun } from '#commands/registry/registry.ts';

import { copyCommand } from './copy.ts';
import { downloadCommand } from './download.ts';
import { editCellCommand } from './edit-cell.ts';
import { editCommand } from './edit.ts';
import { moves } from './moves.ts';
import {
  back,
  clear,
  clearSelection,
  fullScreen,
  nextItem,
  nextTab,
  open,
  previousItem,
  previousTab,
  showTab,
} from './panel.ts';
import { tableCommands } from './table.ts';

export const noun: Noun = {
  commands: (registry) => [
    ...moves,
    ...tableCommands(registry),
    open,
    fullScreen,
    back,
    clear,
    clearSelection,
    nextItem,
    previousItem,
    nextTab,
    previousTab,
    showTab,
    copyCommand(registry),
    downloadCommand(registry),
    editCommand(registry),
    editCellCommand(registry),
  ],
};
