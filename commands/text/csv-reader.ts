/** A record of a CSV text, with the line it starts on (from 1), as spreadsheets and editors count. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
  /** The line of a quotation mark that never ends, so the record has swallowed the rest of the text. */
  readonly openQuoteLine?: number;
}

/** The separators of pasted and exported tables: a spreadsheet pastes tabs, and some locales export semicolons. */
const SEPARATORS = ['\t', ';', ','] as const;
export type Separator = (typeof SEPARATORS)[number];

/** A first line such as `sep=;`, with which Excel reads and some programs write the separator. */
const SEPARATOR_LINE = /^"?sep=([\t;,])"?[\t;, ]*(?:\n|$)/i;

/** Returns the most frequent separator outside of quotes in the first record with content; a comma by default. */
function detectSeparator(text: string): Separator {
  const declared = SEPARATOR_LINE.exec(text)?.[1] as Separator | undefined;
  if (declared !== undefined) return declared;
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (let index = text.search(/\S/); index >= 0 && index < text.length; index++) {
    const char = text[index]!;
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '\n') break;
    else if ((SEPARATORS as readonly string[]).includes(char)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return SEPARATORS.find((separator) => counts.get(separator) === most) ?? ',';
}

const withPlainLines = (source: string): string => source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

/** Returns the separator with which {@link parseCsv} reads a text. */
export const separatorOf = (source: string): Separator => detectSeparator(withPlainLines(source));

/**
 * Parses comma-separated values with quotes (RFC 4180), or values separated by tabs or semicolons. Lines end with LF,
 * CRLF, or CR. Omits empty lines and a line that declares the separator, and trims unquoted cells.
 */
export function parseCsv(source: string): readonly CsvRecord[] {
  const text = withPlainLines(source);
  const separator = detectSeparator(text);
  const [separatorLine = ''] = SEPARATOR_LINE.exec(text) ?? [];
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let wasQuoted = false;
  let line = separatorLine === '' ? 1 : 2;
  let startLine = line;
  let quoteLine = 1;
  const endCell = (): void => {
    cells.push(wasQuoted ? cell : cell.trim());
    cell = '';
    wasQuoted = false;
  };
  const endRecord = (): void => {
    endCell();
    if (isQuoted || cells.some((value) => value !== ''))
      records.push({ line: startLine, cells, ...(isQuoted ? { openQuoteLine: quoteLine } : {}) });
    cells = [];
  };
  for (let index = separatorLine.length; index < text.length; index++) {
    const char = text[index]!;
    if (char === '\n') line++;
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[index + 1] === '"') cell += text[++index]!;
      else isQuoted = false;
    } else if (char === '"' && cell.trim() === '') {
      isQuoted = true;
      quoteLine = line;
      wasQuoted = true;
      cell = '';
    } else if (char === separator) {
      endCell();
    } else if (char === '\n') {
      endRecord();
      startLine = line;
    } else if (!(wasQuoted && char.trim() === '')) {
      cell += char;
    }
  }
  endRecord();
  return records;
}
