import { withoutUnseen } from '#commands/text/visible.ts';

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter();

/**
 * Columns of a terminal that a text takes: letters that combine take none of their own, East Asian ones and pictures
 * two.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) || segment.includes('\ufe0f') ? 2 : 1;
  return width;
}

/** A text without what would move the cursor, change colours or break the line: names come from anywhere. */
export function plainText(text: string): string {
  return withoutUnseen(text.replace(/\s+/g, ' '), '\ufffd');
}

/** As {@link plainText}, of a text that has lines of its own. */
export const plainLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => withoutUnseen(line, '\ufffd'))
    .join('\n');

export interface TableColumn {
  readonly head: string;
  readonly right?: boolean;
  /** It names its row: never cut, and never left out. */
  readonly whole?: boolean;
  /** How much of a longer text is kept at least. */
  readonly least?: number;
}

/** A cell's text, with what to put around it that takes no room (a colour). */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

type Row = readonly Cell[];

const GAP = '  ';
/** What is kept of a cell where nobody says. */
const LEAST = 8;
/** What is kept of a heading while no cell is cut, and after that. */
const READABLE_HEAD = 8;
const LEAST_HEAD = 4;

/**
 * Rows as aligned columns, cut to `width` columns of the terminal where one is given and what names a row leaves
 * room.
 */
export function table(columns: readonly TableColumn[], rows: readonly Row[], width?: number): string {
  const cells = plain(rows);
  const wanted = columns.map(({ head }, index) => Math.max(displayWidth(head), widest(cells, index)));
  const room = (width ?? Infinity) - GAP.length * (columns.length - 1);
  const widths = fit(fit(wanted, uncut(columns, cells), room), floors(columns, cells), room);
  const hasHeads = columns.some(({ head }) => head !== '');
  const heads = hasHeads ? [columns.map(({ head }) => ({ text: head }))] : [];
  return [...heads, ...cells].map((row) => `${line(columns, row, widths)}\n`).join('');
}

/** Which columns have room beside one another, the first ones first and each at its least; all that name a row. */
export function columnsThatFit(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  width: number,
): readonly number[] {
  const least = floors(columns, plain(rows)).map((value) => value + GAP.length);
  let room = width + GAP.length;
  columns.forEach(({ whole }, index) => (room -= whole ? (least[index] ?? 0) : 0));
  return columns.flatMap(({ whole }, index) => {
    if (whole) return [index];
    if ((least[index] ?? 0) > room) return [];
    room -= least[index] ?? 0;
    return [index];
  });
}

function plain(rows: readonly Row[]): readonly Row[] {
  return rows.map((row) => row.map((cell) => ({ ...cell, text: plainText(cell.text) })));
}

function widest(rows: readonly Row[], at: number): number {
  return rows.reduce((most, row) => Math.max(most, displayWidth(row[at]?.text ?? '')), 0);
}

/** Where headings are cut, before any cell is. */
function uncut(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head }, index) => Math.max(widest(rows, index), Math.min(displayWidth(head), READABLE_HEAD)));
}

function floors(columns: readonly TableColumn[], rows: readonly Row[]): readonly number[] {
  return columns.map(({ head, whole, least = LEAST }, index) =>
    Math.max(Math.min(widest(rows, index), whole ? Infinity : least), Math.min(displayWidth(head), LEAST_HEAD)),
  );
}

/** Takes from the widest columns until all fit, from none more than it can spare. */
function fit(wanted: readonly number[], least: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  const spare = (at: number): boolean => (widths[at] ?? 0) > (least[at] ?? 0);
  for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over--) {
    const widest = Math.max(...widths.filter((_, index) => spare(index)));
    const at = widths.findIndex((width, index) => width === widest && spare(index));
    if (at < 0) break;
    widths[at] = widest - 1;
  }
  return widths;
}

function line(columns: readonly TableColumn[], row: Row, widths: readonly number[]): string {
  return columns
    .map(({ right }, index) => {
      const { text, paint = (value: string) => value } = row[index] ?? { text: '' };
      const shown = cut(text, widths[index] ?? 0);
      const space = ' '.repeat(Math.max((widths[index] ?? 0) - displayWidth(shown), 0));
      return right ? space + paint(shown) : paint(shown) + space;
    })
    .join(GAP)
    .trimEnd();
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let shown = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(text)) {
    taken += displayWidth(segment);
    if (taken > width - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}

/** A text as lines of at most `width` columns; a word that is longer stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
