import type { AnyEntity } from '../core/entity.ts';
import type { Noun } from '../core/registry.ts';
import { copyCommand } from './copy.ts';
import { moves } from './moves.ts';
import { back, clear, next, nextTab, open, previous, previousTab } from './panel.ts';
import { tableCommands } from './table.ts';

/** `entities` are those of the product: whatever a table can list. */
export function viewNoun(entities: readonly AnyEntity[]): Noun {
  return {
    commands: [
      ...moves,
      ...tableCommands(entities),
      open,
      back,
      clear,
      next,
      previous,
      nextTab,
      previousTab,
      copyCommand(entities),
    ],
  };
}
