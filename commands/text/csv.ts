/** The first characters of a cell that a spreadsheet reads as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i;

/** Puts an apostrophe before text that a spreadsheet would run as a formula. A number is not a formula. */
function neutralize(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function csvCell(text: string): string {
  const safeText = neutralize(text);
  return /[",\r\n]|^\s|\s$/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText;
}

/** Formats a row as a line of CSV (RFC 4180), including the line break. */
export function csvLine(cells: readonly string[]): string {
  // A line with a single empty cell would be an empty line.
  const line = cells.length === 1 && cells[0] === '' ? '""' : cells.map(csvCell).join(',');
  return `${line}\r\n`;
}

/** Formats rows for pasting into a spreadsheet. A cell has no line breaks and no tabs. */
export function tsvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map((cell) => neutralize(cell.replace(/[\t\r\n]+/g, ' '))).join('\t')).join('\n');
}
