import { replaceInvisible } from '#commands/text/visible.ts';

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter();

/**
 * Returns the width of text in terminal columns: combining characters take none, East Asian characters and emoji two.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) || segment.includes('\ufe0f') ? 2 : 1;
  return width;
}

/** Replaces characters that could move the cursor, change colors or break the line: names are untrusted. */
export function plainText(text: string): string {
  return replaceInvisible(text.replace(/\s+/g, ' '), '\ufffd');
}

/** Applies {@link plainText} to each line of a text. */
export const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => replaceInvisible(line, '\ufffd'))
    .join('\n');

export interface TableColumn {
  readonly head: string;
  readonly right?: boolean;
  /** True if the column identifies its row: never truncated or left out. */
  readonly whole?: boolean;
  /** Minimum columns for a truncated cell. */
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
 * Formats rows as aligned columns. With `width`, truncates cells to fit the terminal, as far as identifying columns
 * leave room.
 */
export function formatTable(columns: readonly TableColumn[], rows: readonly Row[], width?: number): string {
  const cells = plainRows(rows);
  const natural = columns.map(({ head }, index) => Math.max(displayWidth(head), maxWidth(cells, index)));
  const room = (width ?? Infinity) - GAP.length * (columns.length - 1);
  const widths = fit(fit(natural, readableWidths(columns, cells), room), minWidths(columns, cells), room);
  const hasHeads = columns.some(({ head }) => head !== '');
  const heads = hasHeads ? [columns.map(({ head }) => ({ text: head }))] : [];
  return [...heads, ...cells].map((row) => `${formatRow(columns, row, widths)}\n`).join('');
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
  const needed = minWidths(columns, plainRows(rows)).map((value) => value + GAP.length);
  let room = width + GAP.length;
  columns.forEach(({ whole }, index) => (room -= whole ? (needed[index] ?? 0) : 0));
  return columns.flatMap(({ whole }, index) => {
    if (whole) return [index];
    if ((needed[index] ?? 0) > room) return [];
    room -= needed[index] ?? 0;
    return [index];
  });
}

function plainRows(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => row.map((cell) => ({ ...cell, text: plainText(cell.text) })));
}

function maxWidth(rows: readonly Row[], index: number): number {
  return rows.reduce((width, row) => Math.max(width, displayWidth(row[index]?.text ?? '')), 0);
}

/** Returns the widths at which only headings are truncated. */
function readableWidths(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head }, index) =>
    Math.max(maxWidth(rows, index), Math.min(displayWidth(head), READABLE_HEAD_WIDTH)),
  );
}

function minWidths(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head, whole, minWidth = MIN_CELL_WIDTH }, index) =>
    Math.max(
      Math.min(maxWidth(rows, index), whole ? Infinity : minWidth),
      Math.min(displayWidth(head), MIN_HEAD_WIDTH),
    ),
  );
}

/** Shrinks the widest columns until all fit, none below its minimum. */
function fit(natural: readonly number[], minimums: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
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
    .map(({ right }, index) => {
      const { text, paint = (value: string) => value } = row[index] ?? { text: '' };
      const visible = truncate(text, widths[index] ?? 0);
      const space = ' '.repeat(Math.max((widths[index] ?? 0) - displayWidth(visible), 0));
      return right ? space + paint(visible) : paint(visible) + space;
    })
    .join(GAP)
    .trimEnd();
}

function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let visible = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    visible += segment;
  }
  return `${visible}…`;
}

/** Wraps text at `width` columns; a longer word stays whole. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
