import type { Range } from '#commands/text/score.ts';

/** A line of a list that Enter or a click takes. `id` is unique in its list. */
export interface Row {
  readonly id: string;
  readonly label: string;
  /** The letters that matched. */
  readonly ranges?: readonly Range[];
  /** After the label, quieter. */
  readonly detail?: string;
  /** At the right where there are no keys: what sort of thing it is. */
  readonly kind?: string;
  /** At the right: the keys that do the same. */
  readonly keys?: string;
  /** Listed but not to be taken, and why. */
  readonly reason?: string;
  /** Chosen already, where several may be. */
  readonly checked?: boolean;
}

export interface Group<R extends Row = Row> {
  readonly id: string;
  readonly heading?: string;
  readonly rows: readonly R[];
}

export function rowsOf<R extends Row>(groups: readonly Group<R>[]): readonly R[] {
  return groups.flatMap((group) => group.rows);
}

/**
 * What is on the screen stays where it is; what came late joins below. So a late result never moves the row that Enter
 * would run.
 */
export function joinBelow<R extends Row>(shown: readonly R[], late: readonly R[]): readonly R[] {
  const ids = new Set(shown.map((row) => row.id));
  return [...shown, ...late.filter((row) => !ids.has(row.id))];
}
