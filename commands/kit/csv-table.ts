import type { CellKind, Column } from '#commands/model/column.ts';
import type { RowStream } from '#commands/model/host.ts';
import { csvLine } from '#commands/text/csv.ts';
import type { Message, Translate } from '#commands/text/message.ts';
import { printList } from '#commands/text/quotes.ts';

/** The key of a name in the contract, such as `device:lifecycle.INSTALLED`. */
const CONTRACT_NAME = /\.([A-Z][A-Z0-9_]*)$/;

interface CsvOptions {
  readonly translate: Translate;
  /** Replaces characters of a cell, for a terminal. */
  readonly clean?: (text: string) => string;
}

/**
 * Writes rows as CSV while they load, one part per batch. All surfaces use it, so they write the same file: the heads
 * are the ids of the columns, with the unit of measured values, and the values are for programs.
 */
export async function* csvParts(
  { columns: declaredColumns, batches, formulas = false }: Pick<RowStream, 'columns' | 'batches' | 'formulas'>,
  { translate, clean = (text) => text }: CsvOptions,
): AsyncGenerator<string> {
  const columns = declaredColumns as readonly Column<unknown>[];
  const line = (cells: readonly string[]): string => csvLine(cells.map(clean), { formulas });
  const head = (units: readonly string[]): string =>
    line(columns.map(({ id }, index) => (units[index] ? `${id} (${units[index]})` : id)));
  let units: readonly string[] | undefined;
  for await (const rows of batches) {
    const start = units === undefined;
    const headUnits = (units ??= columns.map((column) => unitIn(column, rows)));
    const lines = rows.map((row) =>
      line(columns.map((column, index) => cellText(column, row, headUnits[index] ?? '', translate))),
    );
    yield [...(start ? [head(headUnits)] : []), ...lines].join('');
  }
  if (units === undefined) yield head([]);
}

/** Returns the unit of the first rows, which the head names. A value with another unit has it in its cell. */
function unitIn({ kind, unit }: Column<unknown>, rows: readonly unknown[]): string {
  if (kind !== 'value' || !unit) return '';
  for (const row of rows) {
    const text = unit(row);
    if (text) return text;
  }
  return '';
}

function cellText(column: Column<unknown>, row: unknown, headUnit: string, translate: Translate): string {
  const value = column.value(row);
  if (column.kind === 'value') {
    const text = column.raw?.(row) ?? plainText(value, column.kind, translate);
    const unit = text === '' ? '' : (column.unit?.(row) ?? '');
    return unit === headUnit || unit === '' ? text : `${text} ${unit}`;
  }
  const time = column.time?.(row);
  if (time !== undefined) {
    const iso = new Date(time).toISOString();
    return column.kind === 'day' ? iso.slice(0, 10) : iso;
  }
  if (value === undefined || value === '') return '';
  if (column.tags && !column.raw) return printList(column.tags(row).map(({ name }) => name));
  return column.raw?.(row) ?? plainText(value, column.kind, translate);
}

function plainText(value: string | Message | undefined, kind: CellKind, translate: Translate): string {
  if (typeof value !== 'object') return value ?? '';
  const { key, values: { before, next, count } = {} } = value;
  if (key === 'common:list' && before !== undefined && next !== undefined)
    return `${plainText(asText(before), kind, translate)},${plainText(asText(next), kind, translate)}`;
  if (kind === 'number' && typeof count === 'number') return String(count);
  return (value.values === undefined && CONTRACT_NAME.exec(key)?.[1]) || translate(value);
}

const asText = (value: string | number | Message): string | Message =>
  typeof value === 'number' ? String(value) : value;
