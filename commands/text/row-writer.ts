/** Formats rows as the text of a file. The server writes exports with it, and the console shows their first rows. */
import { type CsvDialect, dialectLine } from './csv.ts';
import { stepsOf, valueAtSteps } from './field-path.ts';

/** A part of each row, with its name in the file. */
export interface RowPart {
  readonly name: string;
  /** A JSON path, such as `$.sentAt.textual`. */
  readonly path: string;
}

export type RowFormat =
  | { readonly type: 'csv'; readonly columns: readonly RowPart[]; readonly dialect: CsvDialect }
  /** Without fields, rows are written whole. */
  | { readonly type: 'json'; readonly fields: readonly RowPart[]; readonly compact: boolean };

/** Writes a file piece by piece. The pieces put together are the file. */
export interface RowWriter {
  readonly start: string;
  /** @param index the index of the row in the file */
  row(row: unknown, index: number): string;
  readonly end: string;
}

export const rowWriter = (format: RowFormat): RowWriter =>
  format.type === 'csv' ? csvWriter(format) : jsonWriter(format);

/** Creates a function that reads the values of a row. */
function reader(parts: readonly RowPart[]): (row: unknown) => unknown[] {
  const paths = parts.map(({ path }) => stepsOf(path) ?? []);
  return (row) => paths.map((steps) => valueAtSteps(row, steps));
}

function csvWriter({ columns, dialect }: Extract<RowFormat, { type: 'csv' }>): RowWriter {
  const read = reader(columns);
  return {
    start: dialectLine(
      columns.map(({ name }) => name),
      dialect,
    ),
    row: (row) => dialectLine(read(row).map(cellText), dialect),
    end: '',
  };
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function jsonWriter({ fields, compact }: Extract<RowFormat, { type: 'json' }>): RowWriter {
  const read = reader(fields);
  const select = (row: unknown): unknown =>
    fields.length === 0
      ? row
      : // Own properties, even for a name such as `__proto__`.
        Object.fromEntries(read(row).map((value, index) => [fields[index]?.name ?? '', value ?? null]));
  const print = compact
    ? (row: unknown) => JSON.stringify(row)
    : // By line feeds: in a regular expression, lines also start after U+2028 and U+2029, which strings may contain.
      (row: unknown) => `\n${JSON.stringify(row, undefined, 2)}`.replaceAll('\n', '\n  ');
  return {
    start: '[',
    row: (row, index) => (index === 0 ? '' : ',') + print(select(row)),
    end: compact ? ']\n' : '\n]\n',
  };
}
