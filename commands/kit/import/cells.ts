import { literals } from '#commands/line/literals.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import type { Context } from '#commands/model/context.ts';
import type { Args } from '#commands/model/invocation.ts';
import type { Param } from '#commands/model/kinds.ts';
import { checkValue } from '#commands/run/values.ts';
import type { CsvRecord } from '#commands/text/csv-reader.ts';
import { withoutApostrophe } from '#commands/text/csv.ts';
import { message } from '#commands/text/message.ts';
import { parseList } from '#commands/text/quotes.ts';

import { ID, type ColumnMap } from './columns.ts';
import type { RowProblem } from './problems.ts';
import { tooManyCells, type Table } from './table.ts';

/** A row whose cells are valid values. */
export interface ParsedRow {
  readonly line: number;
  /** Names the item to change. Empty if the row doesn't name one. */
  readonly id: string;
  readonly args: Args;
  /** The params whose cells have problems. */
  readonly wrong: readonly string[];
}

type ParseResult = ReturnType<(typeof literals)['text']['parse']> | { readonly value: ArgValue };

/** Parses a cell as the argument of a param. A list of pairs is one cell. */
function parseCell(text: string, param: Param, { host: { translate } }: Context): ParseResult {
  if (param.kind === 'flag' && /^(yes|no|1|0)$/i.test(text)) return { value: /^(yes|1)$/i.test(text) };
  const inputs = param.kind === 'pairs' ? parseList(text) : [text];
  const parse = literals[param.kind].parse as (inputs: readonly string[], param: Param) => ParseResult;
  const parsed = parse(inputs, param);
  if ('value' in parsed || param.kind !== 'choice' || !param.label || !translate) return parsed;
  const { label } = param;
  const option = param.options.find((name) => translate(label(name)).toLowerCase() === text.trim().toLowerCase());
  return option === undefined ? parsed : { value: option };
}

interface ParsedRecord {
  readonly row: ParsedRow;
  readonly problems: readonly RowProblem[];
  /** False if a quotation mark that never ends, or the number of cells, leaves their columns unclear. */
  readonly isComplete: boolean;
}

/** Parses and checks the cells of a row. An empty cell sets nothing. */
export function parseRow(
  { line, cells, openQuoteLine }: CsvRecord,
  table: Table,
  { indexes }: ColumnMap,
  params: Readonly<Record<string, Param>>,
  context: Context,
): ParsedRecord {
  const { head } = table;
  const problems: RowProblem[] = [];
  const args: Record<string, ArgValue> = {};
  const wrong: string[] = [];
  const isComplete = openQuoteLine === undefined && cells.length <= head.length;
  if (openQuoteLine !== undefined) problems.push({ line: openQuoteLine, reason: message('running:import.openQuote') });
  else if (cells.length > head.length) problems.push({ line, reason: tooManyCells(cells.length, head.length, table) });
  else {
    for (const [name, index] of indexes) {
      const text = withoutApostrophe(cells[index] ?? '');
      const param = params[name];
      if (text === '' || name === ID || !param) continue;
      const parsed = parseCell(text, param, context);
      const problem = 'problem' in parsed ? parsed.problem : checkValue(param, parsed.value, context);
      if (problem) {
        problems.push({ line, column: head[index]!, reason: problem });
        wrong.push(name);
      } else if ('value' in parsed) args[name] = parsed.value;
    }
  }
  const idIndex = indexes.get(ID);
  const id = idIndex === undefined ? '' : withoutApostrophe(cells[idIndex] ?? '').trim();
  return { row: { line, id, args, wrong }, problems, isComplete };
}
