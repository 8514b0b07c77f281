import { BODY_FONT, HEAD_FONT, type MeasureText } from '#src/ui/text-width.ts';

export interface CellSize {
  /** Width in px, excluding padding. */
  readonly width: number;
}

interface ColumnBase {
  readonly id: string;
  readonly title: string;
  /** Minimum width in px, including padding. */
  readonly min: number;
  readonly max?: number;
  /** The width in px at which text is rarely truncated. Columns grow to this width before they share the rest. */
  readonly comfortableWidth?: number;
  /** Translated sample texts. `comfortableWidth` grows to fit the longest. */
  readonly comfortableSamples?: readonly string[];
  /** Relative share of the spare width. The default is 0, which keeps the column at its `min`. */
  readonly grow?: number;
  /** Translated texts that must never be truncated. `min` grows to fit the longest. */
  readonly fits?: readonly string[];
  /** `end` for numbers. */
  readonly align?: 'start' | 'end';
  /** `code` for identifiers, `quiet` for less important text. */
  readonly tone?: 'code' | 'quiet';
  /** Stays on the left during horizontal scrolling. Only for leading columns of fixed width. */
  readonly frozen?: boolean;
  readonly sortable?: boolean;
  /** Shows the title only to screen readers, as for a health mark. */
  readonly hideTitle?: boolean;
}

/** A column of plain text. */
export interface TextColumn<Row> extends ColumnBase {
  readonly text: (row: Row) => string;
}

/** The content of a cell. */
export interface DrawnCell<Row> {
  /** Shows a row, or nothing if the row hasn't loaded yet. */
  readonly show: (row: Row | undefined) => void;
  readonly remove?: () => void;
}

/** Draws into a cell without React, so scrolling doesn't cause any rendering. */
export type DrawCell<Row> = (cell: HTMLElement, size: CellSize) => DrawnCell<Row>;

/** A column of marks, chips, or other elements. */
export interface DrawnColumn<Row> extends ColumnBase {
  readonly draw: DrawCell<Row>;
}

export type Column<Row> = TextColumn<Row> | DrawnColumn<Row>;

export interface SortKey {
  readonly column: string;
  readonly descending: boolean;
}

/** Left plus right padding of a cell. */
export const CELL_PADDING = 16;
/** Width of the checkbox column. */
export const CHECK_WIDTH = 34;
/** Width reserved in the head for the sort arrow. */
const SORT_ARROW_WIDTH = 16;

export interface ColumnLayout {
  /** Width of each column in px. */
  readonly widths: readonly number[];
  /** Total width in px. */
  readonly totalWidth: number;
}

function minimumWidth<Row>(column: Column<Row>, measure: MeasureText): number {
  const head = column.hideTitle ? 0 : measure(column.title, HEAD_FONT) + (column.sortable ? SORT_ARROW_WIDTH : 0);
  const widths = (column.fits ?? []).map((text) => measure(text, BODY_FONT));
  return Math.max(column.min, Math.ceil(Math.max(head, ...widths)) + (head + widths.length > 0 ? CELL_PADDING : 0));
}

function comfortableWidth<Row>(column: Column<Row>, measure: MeasureText): number {
  const widths = (column.comfortableSamples ?? []).map((text) => measure(text, BODY_FONT) + CELL_PADDING);
  return Math.max(column.comfortableWidth ?? 0, Math.ceil(Math.max(0, ...widths)));
}

/**
 * Computes column widths for `availableWidth` px. Each column gets its minimum, then as much as possible up to
 * `comfortableWidth`. Columns that grow share the rest, up to their `max`. If even the minimums don't fit, the table
 * scrolls horizontally.
 */
export function layoutColumns<Row>(
  columns: readonly Column<Row>[],
  availableWidth: number,
  measure: MeasureText,
): ColumnLayout {
  const widths = columns.map((column) => minimumWidth(column, measure));
  const sum = () => widths.reduce((total, width) => total + width, 0);
  const shortfalls = columns.map((column, i) => Math.max(0, comfortableWidth(column, measure) - (widths[i] ?? 0)));
  const totalShortfall = shortfalls.reduce((total, value) => total + value, 0);
  const coverage = totalShortfall === 0 ? 0 : Math.min(1, Math.max(0, availableWidth - sum()) / totalShortfall);
  for (const [i, shortfall] of shortfalls.entries()) widths[i] = (widths[i] ?? 0) + Math.floor(shortfall * coverage);
  // A column that reaches its maximum leaves room for others, so share again until nothing is left or no column grows.
  for (
    let spareWidth = Math.floor(availableWidth - sum());
    spareWidth > 0;
    spareWidth = Math.floor(availableWidth - sum())
  ) {
    const growFactors = columns.map((column, i) =>
      (widths[i] ?? 0) < (column.max ?? Infinity) ? (column.grow ?? 0) : 0,
    );
    const totalGrow = growFactors.reduce((total, grow) => total + grow, 0);
    if (totalGrow === 0) break;
    let distributedWidth = 0;
    for (const [i, grow] of growFactors.entries()) {
      const width = widths[i] ?? 0;
      const extraWidth = Math.min(
        Math.floor((spareWidth * grow) / totalGrow),
        Math.floor((columns[i]?.max ?? Infinity) - width),
      );
      widths[i] = width + extraWidth;
      distributedWidth += extraWidth;
    }
    if (distributedWidth === 0) {
      const firstGrowing = growFactors.findIndex((grow) => grow > 0);
      widths[firstGrowing] = (widths[firstGrowing] ?? 0) + spareWidth;
    }
  }
  return { widths, totalWidth: sum() };
}
