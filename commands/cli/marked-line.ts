import stringWidth from 'string-width';

import { plainLines, truncate, truncateStart } from './table.ts';

/** The width to which a line is shortened if it isn't printed on a terminal of known width. */
const DEFAULT_COLUMNS = 200;
/** The part of the width that the text before the problem may take. */
const BEFORE_SHARE = 0.6;

/** The UTF-16 units to measure per column. Measuring a whole long line would take seconds. */
const UNITS_PER_COLUMN = 10;

/** Returns the line with a mark below the problem. Empty if the whole line is wrong or must not be shown. */
export function markedLine(line: string, from: number, to: number, columns = DEFAULT_COLUMNS): string {
  if (line === '' || to <= from || line.includes('\n')) return '';
  // Measure what the terminal shows: the line with its invisible characters replaced.
  const reach = columns * UNITS_PER_COLUMN;
  const end = from + reach;
  const before = truncateStart(
    plainLines(line.slice(Math.max(0, from - reach), from)),
    Math.floor(columns * BEFORE_SHARE),
  );
  const indent = stringWidth(before);
  const rest = truncate(plainLines(line.slice(from, end)), columns - indent);
  const markWidth = Math.min(stringWidth(plainLines(line.slice(from, Math.min(to, end)))), stringWidth(rest));
  return `${before}${rest}\n${' '.repeat(indent)}${'^'.repeat(Math.max(1, markWidth))}\n`;
}
