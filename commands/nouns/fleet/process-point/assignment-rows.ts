import type { RowProblem } from '#commands/kit/import/problems.ts';
import { tooManyCells, type Table } from '#commands/kit/import/table.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { parseTime, toSpan } from '#commands/model/time.ts';
import { csvRecord } from '#commands/text/csv.ts';
import { MAX_LENGTH } from '#commands/text/lengths.ts';
import { message, type Message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { pathProblem, type PairPeriods, type Period } from './periods.ts';

/** Maximum number of rows to import at once. */
export const MAX_ROWS = 1000;

export const COLUMNS = ['device', 'point', 'from', 'until', 'fields'] as const;
type Column = (typeof COLUMNS)[number];

/** Written in place of a start if a device never measured a point. */
export const NEVER = 'never';

/** A row of a table of assignments. */
export interface AssignmentRow {
  /** The line in the text, from 1. */
  readonly line: number;
  /** The number of the device, or another of its names. */
  readonly device: string;
  /** The name of the point, or its identifier after `#`. */
  readonly point: string;
  /** Undefined if the device never measured the point. */
  readonly period: Period | undefined;
}

/** The names in a row. Empty if they are missing or too long. */
export type RowNames = Pick<AssignmentRow, 'line' | 'device' | 'point'>;

export interface ParsedRows {
  readonly rows: readonly AssignmentRow[];
  /** The names in rows with problems, which may be unknown, too. */
  readonly otherNames: readonly RowNames[];
  readonly problems: readonly RowProblem[];
}

/** True if a first record with these cells names the columns. */
export const isHead = (cells: readonly string[]): boolean =>
  cells.some((cell) => ['device', 'point'].includes(cell.toLowerCase()));

/**
 * Reads a table of assignments with the columns device, point, from, until, and fields. The header is optional; without
 * it, the columns are in this order.
 */
export function parseRows(table: Table, now: Date): ParsedRows {
  const { head, headLine, rows: records } = table;
  const header = head.map((cell) => cell.toLowerCase());
  const hasHeader = header.length > 0;
  const problems: RowProblem[] = hasHeader ? headerProblems(headLine, header) : [];
  const otherNames: RowNames[] = [];
  const rows = records.flatMap(({ line, cells, openQuoteLine }): AssignmentRow[] => {
    if (openQuoteLine !== undefined) {
      problems.push({ line: openQuoteLine, reason: message('running:import.openQuote') });
      return [];
    }
    const value = (column: Column): string => {
      const index = hasHeader ? header.indexOf(column) : COLUMNS.indexOf(column);
      return (index < 0 ? '' : (cells[index] ?? '')).trim();
    };
    const rowProblems: RowProblem[] = [];
    const add = (column: Column, reason: Message): void => void rowProblems.push({ line, column, reason });
    const width = hasHeader ? header.length : COLUMNS.length;
    if (cells.length > width) rowProblems.push({ line, reason: tooManyCells(cells.length, width, table) });
    for (const column of ['device', 'point'] as const) {
      const { length } = value(column);
      if (length === 0) add(column, message(`process-point:row.missing.${column}`));
      else if (length > MAX_LENGTH.search)
        add(column, message('core:validation.maxLength', { max: MAX_LENGTH.search, length }));
    }
    const since = value('from').toLowerCase() === NEVER ? undefined : readTime(value('from'), 'from', now, add);
    const until = value('until') === '' ? undefined : readTime(value('until'), 'until', now, add);
    if (since !== undefined && until !== undefined && until <= since && rowProblems.length === 0)
      add('until', message('process-point:validation.endBeforeStart'));
    const fields = value('fields') === '' ? [] : value('fields').split(/[\s|]+/);
    const invalidPath = pathProblem(fields);
    if (invalidPath) add('fields', invalidPath);
    problems.push(...rowProblems);
    if (rowProblems.length > 0) {
      const isReadable = (column: Column): boolean => !rowProblems.some((problem) => problem.column === column);
      const name = (column: 'device' | 'point'): string => (isReadable(column) ? value(column) : '');
      // With too many cells, a name may be in another column.
      if (cells.length <= width) otherNames.push({ line, device: name('device'), point: name('point') });
      return [];
    }
    const period = since === undefined ? undefined : { since, until, fields };
    return [{ line, device: value('device'), point: value('point'), period }];
  });
  return { rows, otherNames, problems };
}

function headerProblems(line: number, header: readonly string[]): RowProblem[] {
  const knownColumns: readonly string[] = COLUMNS;
  const unknownColumns = header.filter((name) => name !== '' && !knownColumns.includes(name));
  const missingColumns = (['device', 'point'] as const).filter((name) => !header.includes(name));
  const repeatedColumns = knownColumns.filter((name) => header.indexOf(name) !== header.lastIndexOf(name));
  return [
    ...unknownColumns.map((name) => {
      const [nearMatch] = nearestNames(name, knownColumns, 1);
      return {
        line,
        reason:
          nearMatch === undefined
            ? message('process-point:row.unknownColumn', { name, columns: COLUMNS.join(', ') })
            : message('process-point:row.unknownColumnNear', { name, near: nearMatch }),
      };
    }),
    ...missingColumns.map((name) => ({ line, reason: message('process-point:row.missingColumn', { name }) })),
    ...repeatedColumns.map((name) => ({ line, reason: message('process-point:row.repeatedColumn', { name }) })),
  ];
}

/** Reads a time in the past. An absent start is now. */
function readTime(
  text: string,
  column: 'from' | 'until',
  now: Date,
  add: (column: Column, reason: Message) => void,
): number | undefined {
  const parsed = parseTime(text === '' ? 'now' : text);
  if (parsed === undefined) {
    add(column, message('process-point:row.time', { value: text, example: now.toISOString().slice(0, 10) }));
    return undefined;
  }
  const { from } = toSpan(parsed, now);
  if (from <= now.getTime()) return from;
  add(column, message('process-point:row.future', { value: text }));
  return undefined;
}

/** The periods of a pair as rows of text, in the outcome of a command. */
export interface StoredPeriods {
  readonly point: string;
  readonly device: string;
  readonly rows: readonly string[];
}

interface IdentifiedPeriods extends Pick<PairPeriods, 'periods'> {
  readonly point: { readonly id: string };
  readonly device: { readonly id: string };
}

/** Writes the periods of a pair as rows, exact to the millisecond. A pair without periods is a row with `never`. */
export function storedPeriods({ point, device, periods }: IdentifiedPeriods): StoredPeriods {
  const start = [device.id, `#${point.id}`];
  const rows =
    periods.length === 0
      ? [csvRecord([...start, NEVER])]
      : periods.map(({ since, until, fields }) =>
          csvRecord([...start, printExact(since), until === undefined ? '' : printExact(until), fields.join('|')]),
        );
  return { point: point.id, device: device.id, rows };
}

const printExact = (ms: number): string => new Date(ms).toISOString();

/** Returns the invocations that restore the periods of pairs. */
export function createRestoreInvocations(before: readonly StoredPeriods[]): readonly Invocation[] {
  return chunkPairs(before).map((pairs) => ({
    id: 'process-point.import-assignments',
    args: { rows: pairs.flatMap(({ rows }) => rows).join('\n'), replace: true },
  }));
}

/** Splits pairs so each part has at most as many rows as can be imported. A pair always stays together. */
function chunkPairs(pairs: readonly StoredPeriods[]): readonly (readonly StoredPeriods[])[] {
  const parts: StoredPeriods[][] = [];
  let size = Infinity;
  for (const pair of pairs) {
    if (size + pair.rows.length > MAX_ROWS) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(pair);
    size += pair.rows.length;
  }
  return parts;
}
