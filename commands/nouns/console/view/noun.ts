import type { AnyEntity } from '#commands/model/entity.ts';
import type { Noun } from '#commands/registry/registry.ts';

import { copyCommand } from './copy.ts';
import { editCommand } from './edit.ts';
import { moves } from './moves.ts';
import { back, clear, clearSelection, next, nextTab, open, previous, previousTab, showTab } from './panel.ts';
import { tableCommands } from './table.ts';

/** `entities`: every entity with a table. `editable`: names of the entities with an edit form. */
export function viewNoun(entities: readonly AnyEntity[], editable: readonly string[]): Noun {
  return {
    commands: [
      ...moves,
      ...tableCommands(entities),
      open,
      back,
      clear,
      clearSelection,
      next,
      previous,
      nextTab,
      previousTab,
      showTab,
      copyCommand(entities),
      editCommand(editable),
    ],
  };
}
