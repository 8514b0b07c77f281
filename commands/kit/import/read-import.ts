import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Message } from '#commands/text/message.ts';

import { parseRow, type ParsedRow } from './cells.ts';
import { importableParams, mapColumns, type ColumnMap, type ImportArgs, type ImportSpec } from './columns.ts';
import { lookUpRows } from './lookups.ts';
import { pause } from './pause.ts';
import { sortProblems, type RowProblem } from './problems.ts';
import { resolveRows } from './rows.ts';
import { planSteps, type Step } from './steps.ts';
import { readTable, tableParam, type Table } from './table.ts';

/** The maximum number of rows to import at once. */
export const MAX_ROWS = 100_000;

/** A table that was read and checked against the server. */
export interface Import {
  readonly table: Table;
  readonly columns: ColumnMap;
  readonly steps: readonly Step[];
  readonly problems: readonly RowProblem[];
  readonly leftOut: ReadonlyMap<string, number>;
  /** The commands that undo what the run did. */
  readonly inverse?: readonly Invocation[];
}

function mapTable(context: Context, spec: ImportSpec, table: Table, args: ImportArgs): ColumnMap {
  try {
    return mapColumns(spec, table, args.map ?? {}, context);
  } catch (error) {
    throw error instanceof CommandError ? error.forParam(tableParam(args)) : error;
  }
}

/**
 * Reads a table, looks up what its rows name, and checks each row with the noun's own command. Changes nothing.
 *
 * @throws CommandError if the table as a whole can't be read
 */
export async function readImport(
  context: Context,
  spec: ImportSpec,
  args: ImportArgs,
  expected: Message,
): Promise<Import> {
  const table = readTable(args, { maxRows: MAX_ROWS, isHead: () => true, expected });
  const { head } = table;
  const columns = mapTable(context, spec, table, args);
  const params = importableParams(spec);
  const problems: RowProblem[] = [];
  const rows: ParsedRow[] = [];
  const takeTurn = pause();
  for (const record of table.rows) {
    await takeTurn();
    const parsed = parseRow(record, table, columns, params, context);
    problems.push(...parsed.problems);
    if (parsed.isComplete) rows.push(parsed.row);
  }
  const lookups = await lookUpRows(context, spec, rows, params);
  const resolved = await resolveRows(rows, spec, head, columns, lookups);
  const planned = await planSteps(resolved.rows, spec, head, columns, context);
  return {
    table,
    columns,
    steps: planned.steps,
    problems: sortProblems([...problems, ...resolved.problems, ...planned.problems], head),
    leftOut: resolved.leftOut,
  };
}
