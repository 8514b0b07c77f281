import { useState } from 'react';

import { listRows, type Group, type Row } from './rows.ts';

export interface ActiveRow<R extends Row> {
  /** The row that screen readers announce and Enter picks. */
  readonly active: R | undefined;
  readonly setActive: (id: string | undefined) => void;
  readonly move: (steps: number) => void;
}

/**
 * Tracks the active row by id, so late rows don't change it. At first, the row with the id `initialId` is active,
 * or else the first row that can be picked. While a better row may still arrive (`isPending`), no row is active,
 * because Enter must pick the row that screen readers announce.
 */
export function useActiveRow<R extends Row>(
  groups: readonly Group<R>[],
  isPending = false,
  initialId?: string,
): ActiveRow<R> {
  const [selectedId, setActive] = useState<string>();
  const rows = listRows(groups);
  const activeIndex = rows.findIndex((row) => row.id === (selectedId ?? initialId));
  const index =
    activeIndex < 0
      ? Math.max(
          0,
          rows.findIndex((row) => row.reason === undefined),
        )
      : activeIndex;
  const moveTo = (position: number): void => setActive(rows[position]?.id);
  return {
    active: isPending && activeIndex < 0 ? undefined : rows[index],
    setActive,
    // A single step wraps around. A page stops at the ends.
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

/** Handles a keydown event of a field if its key moves in the list. Returns true if it handled the event. */
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
