import { useState } from 'react';

import { rowsOf, type Group, type Row } from './rows.ts';

export interface ActiveRow<R extends Row> {
  /** The row that is announced and that Enter picks. */
  readonly active: R | undefined;
  readonly setActive: (id: string | undefined) => void;
  readonly move: (steps: number) => void;
}

/**
 * Tracks the active row by id, not by position: late rows do not change it. Initially, the row with the id `initial` is
 * active, else the first one that can be picked, or none while a better one may still be `pending`, because Enter must
 * pick exactly what is announced.
 */
export function useActiveRow<R extends Row>(
  groups: readonly Group<R>[],
  pending = false,
  initial?: string,
): ActiveRow<R> {
  const [movedTo, setActive] = useState<string>();
  const rows = rowsOf(groups);
  const activeIndex = rows.findIndex((row) => row.id === (movedTo ?? initial));
  const index =
    activeIndex < 0
      ? Math.max(
          0,
          rows.findIndex((row) => row.reason === undefined),
        )
      : activeIndex;
  const moveTo = (position: number): void => setActive(rows[position]?.id);
  return {
    active: pending && activeIndex < 0 ? undefined : rows[index],
    setActive,
    // A single step wraps around; a page stops at the ends.
    move: (steps) =>
      moveTo(
        Math.abs(steps) === 1
          ? (index + steps + rows.length) % rows.length
          : Math.max(0, Math.min(rows.length - 1, index + steps)),
      ),
  };
}

/** Number of rows that PageUp and PageDown move by. */
const PAGE_ROWS = 8;

/** Handles keys that move in a list, from a field's keydown; returns true if it handled one. */
export function moveByKey(
  event: { readonly key: string; preventDefault(): void },
  { move }: Pick<ActiveRow<Row>, 'move'>,
): boolean {
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(PAGE_ROWS),
    PageUp: () => move(-PAGE_ROWS),
  };
  const moveActive = moves[event.key];
  if (!moveActive) return false;
  event.preventDefault();
  moveActive();
  return true;
}
