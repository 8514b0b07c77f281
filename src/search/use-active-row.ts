import { useState } from 'react';

import { rowsOf, type Group, type Row } from './rows.ts';

export interface ActiveRow<R extends Row> {
  /** The row that is announced and that Enter takes. */
  readonly active: R | undefined;
  readonly setActive: (id: string | undefined) => void;
  readonly move: (by: number) => void;
  readonly edge: (which: 'first' | 'last') => void;
}

/**
 * Which row of a list is active: by id, not by place, so that rows that come late do not change it. Until somebody
 * moves it is the first that can be taken, and none while a better one may still be `pending`: what is announced is
 * what Enter takes.
 */
export function useActiveRow<R extends Row>(groups: readonly Group<R>[], pending = false): ActiveRow<R> {
  const [wanted, setActive] = useState<string>();
  const rows = rowsOf(groups);
  const found = rows.findIndex((row) => row.id === wanted);
  const at =
    found < 0
      ? Math.max(
          0,
          rows.findIndex((row) => row.reason === undefined),
        )
      : found;
  const to = (place: number): void => setActive(rows[place]?.id);
  return {
    active: pending && found < 0 ? undefined : rows[at],
    setActive,
    // One step wraps around; a page stops at the ends.
    move: (by) =>
      to(Math.abs(by) === 1 ? (at + by + rows.length) % rows.length : Math.max(0, Math.min(rows.length - 1, at + by))),
    edge: (which) => to(which === 'first' ? 0 : rows.length - 1),
  };
}

/** Rows that PageUp and PageDown go. */
const PAGE = 8;

/** Takes the keys that move in a list from a field's keydown; true when it was one. */
export function moveByKey(
  event: { readonly key: string; preventDefault(): void },
  { move }: Pick<ActiveRow<Row>, 'move'>,
): boolean {
  const moves: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(PAGE),
    PageUp: () => move(-PAGE),
  };
  const found = moves[event.key];
  if (!found) return false;
  event.preventDefault();
  found();
  return true;
}
