import { withoutUnseen } from '../text/visible.ts';

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f1e6}-\u{1f1ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter();

/** Columns of a terminal that a text takes: letters that combine take none of their own, East Asian ones and pictures two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) || segment.includes('\ufe0f') ? 2 : 1;
  return width;
}

/** A text without what would move the cursor, change colours or break the line: names come from anywhere. */
export function plainText(text: string): string {
  return withoutUnseen(text.replace(/\s+/g, ' '), '\ufffd');
}

export interface TableColumn {
  readonly head: string;
  readonly right?: boolean;
}

/** A cell's text, with what to put around it that takes no room (a colour). */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

const GAP = '  ';
/** A column that is cut is not cut below this. */
const LEAST = 8;

/** Rows as aligned columns, cut to `width` columns of the terminal where one is given. */
export function table(columns: readonly TableColumn[], rows: readonly (readonly Cell[])[], width?: number): string {
  const cells = rows.map((row) => row.map((cell) => ({ ...cell, text: plainText(cell.text) })));
  const wanted = columns.map(({ head }, at) =>
    Math.max(displayWidth(head), ...cells.map((row) => displayWidth(row[at]?.text ?? ''))),
  );
  const widths = width === undefined ? wanted : fit(wanted, width - GAP.length * (columns.length - 1));
  const line = (row: readonly Cell[]): string =>
    columns
      .map(({ right }, at) => {
        const { text, paint = (each: string) => each } = row[at] ?? { text: '' };
        const shown = cut(text, widths[at] ?? 0);
        const space = ' '.repeat(Math.max((widths[at] ?? 0) - displayWidth(shown), 0));
        return right ? space + paint(shown) : paint(shown) + space;
      })
      .join(GAP)
      .trimEnd();
  return [columns.map(({ head }) => ({ text: head })), ...cells].map((row) => `${line(row)}\n`).join('');
}

/** Takes from the widest columns until all fit. */
function fit(wanted: readonly number[], room: number): readonly number[] {
  const widths = [...wanted];
  let over = widths.reduce((sum, each) => sum + each, 0) - room;
  while (over > 0) {
    const widest = Math.max(...widths);
    if (widest <= LEAST) break;
    const at = widths.indexOf(widest);
    widths[at] = widest - 1;
    over--;
  }
  return widths;
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
