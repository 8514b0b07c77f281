import { getTextEncoding } from '@bufbuild/protobuf/wire';

import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError, failureOf } from '#commands/model/errors.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import type { ItemResult, Outcome } from '#commands/model/result.ts';
import { MAX_PROBLEMS } from '#commands/run/find-all.ts';
import { csvLine } from '#commands/text/csv.ts';
import { message, type Message, type Translate } from '#commands/text/message.ts';

import { readTable, tableParam, toTableArgs, type Table, type TableArgs } from './table.ts';

/** A problem with a row of a table. `column` is the head of its column, and absent if it concerns the whole row. */
export interface RowProblem {
  readonly line: number;
  readonly column?: string;
  readonly reason: Message;
}

function problemText({ line, column, reason }: RowProblem): Message {
  return column === undefined
    ? message('running:import.problem', { line, reason })
    : message('running:import.problemIn', { line, column, reason });
}

const countWrongRows = (problems: readonly RowProblem[]): number => new Set(problems.map(({ line }) => line)).size;

/** Lists problems, one per line. */
function problemsText(problems: readonly RowProblem[]): Message {
  const listedProblems = problems.slice(0, MAX_PROBLEMS).map(problemText);
  const count = problems.length - listedProblems.length;
  const lines = count > 0 ? [...listedProblems, message('running:import.more', { count })] : listedProblems;
  return lines.reduce((before, next) => message('running:import.lines', { before, next }));
}

/** What to do with rows that have problems: skip or save them. Without either, nothing is imported. */
export interface ProblemArgs extends TableArgs {
  readonly skip: boolean;
  readonly save: boolean;
}

/** Throws an error that lists the problems, unless the arguments say what to do with such rows. */
export function rejectWrongRows(problems: readonly RowProblem[], args: ProblemArgs): void {
  const count = countWrongRows(problems);
  if (count > 0 && !args.skip && !args.save)
    throw new CommandError(
      message('running:import.rows', { count, problems: problemsText(problems) }),
      tableParam(args),
    );
}

interface CheckedTable {
  readonly problems: readonly RowProblem[];
  readonly steps: readonly unknown[];
}

/** True if the command only saves the rows that have problems. */
export const onlySaves = ({ problems, steps }: CheckedTable, { skip, save }: ProblemArgs): boolean =>
  save && problems.length > 0 && (!skip || steps.length === 0);

export const planSave = (problems: readonly RowProblem[]): Plan => ({
  summary: message('running:import.saves', { count: countWrongRows(problems) }),
  count: 1,
  changes: [],
  reversible: false,
  harmless: true,
});

export async function runSave(
  context: Context,
  noun: string,
  table: Table,
  problems: readonly RowProblem[],
): Promise<Outcome> {
  const name = await saveFixTable(context, noun, table, problems);
  return { message: message('running:import.saved', { count: countWrongRows(problems), name }) };
}

/** Returns the note about the rows that the plan skips. */
export function skipNotes(problems: readonly RowProblem[]): readonly Message[] {
  const count = countWrongRows(problems);
  return count > 0 ? [message('running:import.skips', { count, problems: problemsText(problems) })] : [];
}

/** Returns the note about the rows that are imported despite a warning. */
export function warningNotes(warnings: readonly RowProblem[]): readonly Message[] {
  const count = countWrongRows(warnings);
  return count > 0 ? [message('running:import.warns', { count, problems: problemsText(warnings) })] : [];
}

/** Returns the result of a row that was skipped. */
export const problemResult = (problem: RowProblem): ItemResult => ({
  id: `${problem.line}`,
  label: `${problem.line}`,
  failure: { code: 'command', message: problemText(problem), retryable: false },
});

/** Sorts problems by row and then by column. */
export function sortProblems(problems: readonly RowProblem[], columns: readonly string[]): readonly RowProblem[] {
  const indexOf = ({ column }: RowProblem): number => (column === undefined ? -1 : columns.indexOf(column));
  return problems.toSorted((a, b) => a.line - b.line || indexOf(a) - indexOf(b));
}

/** The column that a table to fix has in addition. An import leaves it out. */
export const ERROR_COLUMN = 'error';

/**
 * Writes the rows that have problems as CSV, each with its problems, to be fixed and imported again. Cells beyond the
 * head come after the error, so that no value is lost, and the row is still too long until it is fixed.
 */
export function fixTable({ head, rows }: Table, problems: readonly RowProblem[], translate: Translate): string {
  const reasons = new Map<number, string[]>();
  for (const { line, column, reason } of problems) {
    const text = column === undefined ? translate(reason) : `${column}: ${translate(reason)}`;
    reasons.set(line, [...(reasons.get(line) ?? []), text]);
  }
  const errorIndex = head.indexOf(ERROR_COLUMN);
  const width = errorIndex < 0 ? head.length : errorIndex;
  const record = (cells: readonly string[], error: string): string => {
    // In a row that is too long, a value may have moved into the column of the error.
    const replaced = errorIndex >= 0 && cells.length <= head.length ? 1 : 0;
    const others = cells.slice(width + replaced);
    const end = others.findLastIndex((cell) => cell !== '') + 1;
    return csvLine([
      ...Array.from({ length: width }, (_, index) => cells[index] ?? ''),
      error,
      ...others.slice(0, end),
    ]);
  };
  const lines = rows.flatMap(({ line, cells }) => {
    const texts = reasons.get(line);
    return texts ? [record(cells, texts.join(' '))] : [];
  });
  return [record(head, ERROR_COLUMN), ...lines].join('');
}

/** Writes the rows that failed as a table to fix. */
export function toFix(args: Args, failures: readonly ItemResult[], translate: Translate): string {
  const table = readTable(toTableArgs(args), { maxRows: Infinity, isHead: () => true, expected: message('') });
  const problems = failures.flatMap(({ id, failure }) =>
    failure ? [{ line: Number(id), reason: failure.message }] : [],
  );
  return fixTable(table, problems, translate);
}

/**
 * Saves the rows that have problems after the others were imported, and adds that to the result. The rows were imported
 * even if the file can't be saved.
 */
export async function saveOtherRows(
  context: Context,
  noun: string,
  table: Table,
  problems: readonly RowProblem[],
  result: Message,
): Promise<Message> {
  if (problems.length === 0) return result;
  try {
    return message('running:import.doneAndSaved', { result, name: await saveFixTable(context, noun, table, problems) });
  } catch (error) {
    return message('running:import.doneNotSaved', { result, reason: failureOf(error).message });
  }
}

/** Saves the rows that have problems as a CSV file. Returns its name. */
async function saveFixTable(
  context: Context,
  noun: string,
  table: Table,
  problems: readonly RowProblem[],
): Promise<string> {
  const text = fixTable(table, problems, context.host.translate ?? (({ key }) => key));
  const bytes = getTextEncoding().encodeUtf8(text);
  return requireCapability(context, 'files').save({ name: `${noun}-to-fix.csv`, mediaType: 'text/csv', bytes });
}
