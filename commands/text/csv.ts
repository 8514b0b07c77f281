/**
 * The first characters of a cell that a spreadsheet reads as a formula. Apostrophes before them count, so that
 * {@link withoutApostrophe} can tell ours from the text's own.
 */
const FORMULA = /^'*[=+\-@\t\r\n]/;
const NUMBER = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i;

/** Puts an apostrophe before text that a spreadsheet would run as a formula. A number is not a formula. */
function neutralize(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Returns the text of a cell without the apostrophe that {@link csvLine} put before a formula. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

/** Quotes a cell if it needs quotes, also where another separator than the comma could be detected. */
function quoteCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a row as CSV (RFC 4180), without a line break and with every character as it is. */
export function csvRecord(cells: readonly string[]): string {
  // A line with a single empty cell would be an empty line.
  return cells.length === 1 && cells[0] === '' ? '""' : cells.map(quoteCell).join(',');
}

/** Formats a row as a line of CSV, with a line break. `formulas` keeps text that a spreadsheet would run. */
export function csvLine(cells: readonly string[], { formulas = false }: { readonly formulas?: boolean } = {}): string {
  return `${csvRecord(formulas ? cells : cells.map(neutralize))}\r\n`;
}

/** Formats rows for pasting into a spreadsheet. A cell has no line breaks and no tabs. */
export function tsvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => neutralize(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n');
}

/** Returns the name of a CSV file, such as `devices-2026-03-11.csv`. */
export function csvName(name: string, date: Date): string {
  return `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${date.toISOString().slice(0, 10)}.csv`;
}
