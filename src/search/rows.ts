import type { Range } from '#commands/text/score.ts';
import type { KeyHint } from '#src/ui/key-hint.ts';

/** A row that Enter or a click picks. `id` is unique in its list. */
export interface Row {
  readonly id: string;
  readonly label: string;
  /** The letters that match the query. */
  readonly ranges?: readonly Range[];
  /** Shown after the label, less prominently. */
  readonly detail?: string;
  /** The kind of result, shown on the right if there are no keys. */
  readonly kind?: string;
  /** The equivalent keys, shown on the right. */
  readonly keys?: KeyHint;
  /** The reason why the row is listed but cannot be picked. */
  readonly reason?: string;
  /** True if the value is already chosen, in a list that allows several values. */
  readonly checked?: boolean;
}

export interface Group<R extends Row = Row> {
  readonly id: string;
  readonly heading?: string;
  readonly rows: readonly R[];
}

export function listRows<R extends Row>(groups: readonly Group<R>[]): readonly R[] {
  return groups.flatMap((group) => group.rows);
}

/** Adds late rows below the visible rows, so a late result never changes which row Enter picks. */
export function appendLateRows<R extends Row>(visibleRows: readonly R[], lateRows: readonly R[]): readonly R[] {
  const ids = new Set(visibleRows.map((row) => row.id));
  return [...visibleRows, ...lateRows.filter((row) => !ids.has(row.id))];
}
