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

/** How a CSV file separates and quotes its cells. */
export interface CsvDialect {
  readonly separator: string;
  readonly quote: string;
  /** Precedes a quote inside a quoted cell; RFC 4180 uses the quote itself. */
  readonly escape: string;
  readonly newline: string;
  /** False to write text that a spreadsheet would run as a formula as it is. */
  readonly neutralizesFormulas: boolean;
}

const RFC_4180: CsvDialect = { separator: ',', quote: '"', escape: '"', newline: '\r\n', neutralizesFormulas: true };

/** Cells with these are quoted in every dialect, because a reader may detect another separator than the file's. */
const SEPARATORS = [',', ';', '\t'];

function csvCell(text: string, { separator, quote, escape, neutralizesFormulas }: CsvDialect): string {
  const safeText = neutralizesFormulas ? neutralize(text) : text;
  const marks = [...SEPARATORS, separator, quote, escape, '\r', '\n'];
  if (!marks.some((mark) => safeText.includes(mark)) && !/^\s|\s$/.test(safeText)) return safeText;
  // An escape that isn't the quote itself has to be escaped too.
  const escapedText = escape === quote ? safeText : safeText.replaceAll(escape, () => escape + escape);
  return quote + escapedText.replaceAll(quote, () => escape + quote) + quote;
}

/** Formats a row as CSV in a dialect, with its line break. */
export function dialectLine(cells: readonly string[], dialect: CsvDialect): string {
  const { separator, quote, newline } = dialect;
  // A line with a single empty cell would be an empty line.
  const line =
    cells.length === 1 && cells[0] === '' ? quote + quote : cells.map((cell) => csvCell(cell, dialect)).join(separator);
  return line + newline;
}

/** Formats a row as CSV (RFC 4180), without a line break and with every character as it is. */
export const csvRecord = (cells: readonly string[]): string =>
  dialectLine(cells, { ...RFC_4180, newline: '', neutralizesFormulas: false });

/** Formats a row as a line of CSV, with a line break. `formulas` keeps text that a spreadsheet would run. */
export const csvLine = (cells: readonly string[], { formulas = false }: { readonly formulas?: boolean } = {}): string =>
  dialectLine(cells, { ...RFC_4180, neutralizesFormulas: !formulas });

/** Formats rows for pasting into a spreadsheet. A cell has no line breaks and no tabs. */
export function tsvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => neutralize(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n');
}

/** Returns the name of a CSV file, such as `devices-2026-03-11.csv`. */
export function csvName(name: string, date: Date): string {
  return `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${date.toISOString().slice(0, 10)}.csv`;
}
