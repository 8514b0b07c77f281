/** The first characters of a cell that a spreadsheet reads as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i;

/** Puts an apostrophe before text that a spreadsheet would run as a formula. A number is not a formula. */
function neutralize(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
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

function csvCell(text: string, { separator, quote, escape, neutralizesFormulas }: CsvDialect): string {
  const safeText = neutralizesFormulas ? neutralize(text) : text;
  const isPlain =
    ![separator, quote, escape, '\r', '\n'].some((mark) => safeText.includes(mark)) && !/^\s|\s$/.test(safeText);
  if (isPlain) return safeText;
  // An escape that isn't the quote itself has to be escaped too.
  const escapedText = escape === quote ? safeText : safeText.replaceAll(escape, () => escape + escape);
  return quote + escapedText.replaceAll(quote, () => escape + quote) + quote;
}

/** Formats a row as a line of CSV (RFC 4180), including the line break. */
export const csvLine = (cells: readonly string[]): string => dialectLine(cells, RFC_4180);

/** Formats a row like {@link csvLine}, in a dialect. */
export function dialectLine(cells: readonly string[], dialect: CsvDialect): string {
  const { separator, quote, newline } = dialect;
  // A line with a single empty cell would be an empty line.
  const line =
    cells.length === 1 && cells[0] === '' ? quote + quote : cells.map((cell) => csvCell(cell, dialect)).join(separator);
  return line + newline;
}

/** Formats rows for pasting into a spreadsheet. A cell has no line breaks and no tabs. */
export function tsvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => neutralize(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n');
}
