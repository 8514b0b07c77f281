import type { ReactNode } from 'react';
import { BODY_FONT, HEAD_FONT, type MeasureText } from '#src/ui/text-width.ts';

export interface CellRoom {
  /** px inside the cell's padding. */
  readonly width: number;
}

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** What stands in the cell. A string is the fast path: only the text changes when a row enters. */
  readonly cell: (row: Row, room: CellRoom) => ReactNode;
  /** px, padding included. */
  readonly min: number;
  readonly max?: number;
  /** px with which its texts are seldom cut: what is left over goes here first. */
  readonly enough?: number;
  /** Share of the room that is left over. 0 by default: the column keeps its `min`. */
  readonly grow?: number;
  /** Texts that are never cut: `min` rises to the longest of them, in any language. */
  readonly fits?: readonly string[];
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** `code` for identifiers, `quiet` for what matters less. */
  readonly tone?: 'code' | 'quiet';
  /** Stays at the left while the table is scrolled sideways. Only leading columns; of fixed width. */
  readonly frozen?: boolean;
  readonly sortable?: boolean;
  /** The title is for a screen reader only: a mark, a checkbox. */
  readonly hideTitle?: boolean;
}

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

/** Left and right padding of a cell together. */
export const CELL_PADDING = 16;
/** Room in the head for the sort arrow. */
const SORT_ARROW = 16;

export interface ColumnLayout {
  /** px per column. */
  readonly widths: readonly number[];
  /** px of all columns together. */
  readonly content: number;
}

function leastWidth<Row>(column: Column<Row>, measure: MeasureText): number {
  const head = column.hideTitle ? 0 : measure(column.title, HEAD_FONT) + (column.sortable ? SORT_ARROW : 0);
  const texts = (column.fits ?? []).map((text) => measure(text, BODY_FONT));
  return Math.max(column.min, Math.ceil(Math.max(head, ...texts)) + (head + texts.length > 0 ? CELL_PADDING : 0));
}

/**
 * Widths for `room` px: each column has what it needs, then as far as it goes what is enough, and the rest goes to
 * those that grow, up to their `max`. When the room is too small the columns keep what they need, and the table scrolls
 * sideways.
 */
export function layoutColumns<Row>(columns: readonly Column<Row>[], room: number, measure: MeasureText): ColumnLayout {
  const widths = columns.map((column) => leastWidth(column, measure));
  const sum = () => widths.reduce((total, width) => total + width, 0);
  const lacking = columns.map(({ enough = 0 }, i) => Math.max(0, enough - (widths[i] ?? 0)));
  const lack = lacking.reduce((total, value) => total + value, 0);
  const filled = lack === 0 ? 0 : Math.min(1, Math.max(0, room - sum()) / lack);
  for (const [i, each] of lacking.entries()) widths[i] = (widths[i] ?? 0) + Math.floor(each * filled);
  // A column that reaches its max leaves room for the others: share again until nothing is left or nothing grows.
  for (let rest = Math.floor(room - sum()); rest > 0; rest = Math.floor(room - sum())) {
    const growing = columns.map((column, i) => ((widths[i] ?? 0) < (column.max ?? Infinity) ? (column.grow ?? 0) : 0));
    const shares = growing.reduce((total, grow) => total + grow, 0);
    if (shares === 0) break;
    let given = 0;
    for (const [i, grow] of growing.entries()) {
      const width = widths[i] ?? 0;
      const add = Math.min(Math.floor((rest * grow) / shares), Math.floor((columns[i]?.max ?? Infinity) - width));
      widths[i] = width + add;
      given += add;
    }
    if (given === 0) {
      const widest = growing.findIndex((grow) => grow > 0);
      widths[widest] = (widths[widest] ?? 0) + rest;
    }
  }
  return { widths, content: sum() };
}
