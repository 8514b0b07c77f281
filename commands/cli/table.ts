import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

import { replaceInvisible, visibleLine } from '#commands/text/visible.ts';

const graphemes = new Intl.Segmenter();

/** Replaces characters that could move the cursor, change colors, or break the line, because names are untrusted. */
export function plainText(text: string): string {
  return visibleLine(text);
}

/** Applies {@link plainText} to each line. */
export const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => replaceInvisible(line, '\ufffd'))
    .join('\n');

export interface TableColumn {
  readonly head: string;
  readonly alignRight?: boolean;
  /** True if the column identifies its row. Such a column is never truncated or omitted. */
  readonly identifying?: boolean;
  /** The minimum width of a truncated cell. */
  readonly minWidth?: number;
}

/** The text of a cell, with zero-width decoration such as a color. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

type Row = readonly Cell[];

const GAP = '  ';
/** Default `minWidth`. */
const MIN_CELL_WIDTH = 8;
/** Headings shrink to this width before any cell is truncated. */
const READABLE_HEAD_WIDTH = 8;
/** Headings never shrink below this width. */
const MIN_HEAD_WIDTH = 4;

/**
 * Formats rows as aligned columns. With `width`, truncates cells to fit the terminal, except in identifying columns.
 */
export function formatTable(columns: readonly TableColumn[], rows: readonly Row[], width?: number): string {
  return formatNextRows(columns, rows, width).text;
}

/** Returns the widths of columns that fit into `width`. */
function fitWidths(columns: readonly TableColumn[], cells: readonly Row[], width?: number): readonly number[] {
  const naturalWidths = columns.map(({ head }, index) => Math.max(stringWidth(head), maxWidth(cells, index)));
  const room = (width ?? Infinity) - GAP.length * (columns.length - 1);
  return shrinkToFit(shrinkToFit(naturalWidths, readableWidths(columns, cells), room), minWidths(columns, cells), room);
}

/**
 * Formats the next rows of a table that prints in batches. The first batch has the headings, and determines the
 * `widths` to pass for the other parts.
 */
export function formatNextRows(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  width?: number,
  knownWidths?: readonly number[],
): { readonly text: string; readonly widths: readonly number[] } {
  const cells = plainRows(rows);
  const widths = knownWidths ?? fitWidths(columns, cells, width);
  const hasHeads = columns.some(({ head }) => head !== '');
  const heads = hasHeads && knownWidths === undefined ? [columns.map(({ head }) => ({ text: head }))] : [];
  // Without a width, nothing is truncated: a longer cell moves the rest of its row.
  const roomFor = (row: Row): readonly number[] =>
    width === undefined ? widths.map((value, index) => Math.max(value, stringWidth(row[index]?.text ?? ''))) : widths;
  const text = [...heads, ...cells].map((row) => `${formatRow(columns, row, roomFor(row))}\n`).join('');
  return { text, widths };
}

/**
 * Returns the indexes of the columns that fit side by side at their minimum width, in order of priority, plus all
 * identifying columns.
 */
export function columnsThatFit(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  width: number,
): readonly number[] {
  const neededWidths = minWidths(columns, plainRows(rows)).map((value) => value + GAP.length);
  let room = width + GAP.length;
  columns.forEach(({ identifying }, index) => (room -= identifying ? (neededWidths[index] ?? 0) : 0));
  return columns.flatMap(({ identifying }, index) => {
    if (identifying) return [index];
    if ((neededWidths[index] ?? 0) > room) return [];
    room -= neededWidths[index] ?? 0;
    return [index];
  });
}

function plainRows(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => row.map((cell) => ({ ...cell, text: plainText(cell.text) })));
}

function maxWidth(rows: readonly Row[], index: number): number {
  return rows.reduce((width, row) => Math.max(width, stringWidth(row[index]?.text ?? '')), 0);
}

/** Returns the widths at which only headings are truncated. */
function readableWidths(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head }, index) =>
    Math.max(maxWidth(rows, index), Math.min(stringWidth(head), READABLE_HEAD_WIDTH)),
  );
}

function minWidths(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head, identifying, minWidth = MIN_CELL_WIDTH }, index) =>
    Math.max(
      Math.min(maxWidth(rows, index), identifying ? Infinity : minWidth),
      Math.min(stringWidth(head), MIN_HEAD_WIDTH),
    ),
  );
}

/** Shrinks the widest columns until all fit, but none below its minimum. */
function shrinkToFit(naturalWidths: readonly number[], minimums: readonly number[], room: number): readonly number[] {
  const widths = [...naturalWidths];
  const canShrink = (index: number): boolean => (widths[index] ?? 0) > (minimums[index] ?? 0);
  for (let excess = widths.reduce((sum, width) => sum + width, 0) - room; excess > 0; excess--) {
    const widest = Math.max(...widths.filter((_, index) => canShrink(index)));
    const index = widths.findIndex((width, candidate) => width === widest && canShrink(candidate));
    if (index < 0) break;
    widths[index] = widest - 1;
  }
  return widths;
}

function formatRow(columns: readonly TableColumn[], row: Row, widths: readonly number[]): string {
  return columns
    .map(({ alignRight }, index) => {
      const { text, paint = (value: string) => value } = row[index] ?? { text: '' };
      const visibleText = truncate(text, widths[index] ?? 0);
      const space = ' '.repeat(Math.max((widths[index] ?? 0) - stringWidth(visibleText), 0));
      return alignRight ? space + paint(visibleText) : paint(visibleText) + space;
    })
    .join(GAP)
    .trimEnd();
}

/** Shortens the text to `width` columns. */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return `${fitting(segments, width - 1).join('')}…`;
}

/** Shortens the text to its last `width` columns. */
export function truncateStart(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const segments = Array.from(graphemes.segment(text), ({ segment }) => segment);
  return `…${fitting(segments.toReversed(), width - 1)
    .toReversed()
    .join('')}`;
}

/** Returns the first segments that fit into `width` columns. */
function fitting(segments: readonly string[], width: number): readonly string[] {
  let usedWidth = 0;
  const end = segments.findIndex((segment) => (usedWidth += stringWidth(segment)) > width);
  return end < 0 ? segments : segments.slice(0, end);
}

/** Wraps lines of text at `width` columns, without breaking longer words. */
export const wrapLines = (text: string, width: number): readonly string[] => wrapAnsi(text, width).split('\n');
