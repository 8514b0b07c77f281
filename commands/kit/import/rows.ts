import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import { missingMessage } from '#commands/model/params.ts';
import { isProblem } from '#commands/run/find-all.ts';
import { isRequired } from '#commands/run/resolve.ts';
import { message, type Message } from '#commands/text/message.ts';

import type { ParsedRow } from './cells.ts';
import { ID, type ColumnMap, type ImportSpec } from './columns.ts';
import { nameParam, unknownName, type Lookups } from './lookups.ts';
import { pause } from './pause.ts';
import type { RowProblem } from './problems.ts';

/** A row with the item that it changes, if any, and the values that the command receives. */
export interface ResolvedRow {
  readonly line: number;
  readonly label: string;
  readonly item: unknown;
  readonly values: ResolvedArgs;
}

/** The id of a row's result. */
export const idOf = ({ line }: ResolvedRow): string => `${line}`;

interface ResolvedRows {
  readonly rows: readonly ResolvedRow[];
  readonly problems: readonly RowProblem[];
  /** The number of existing items with a value that only a new item can get, by param. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Resolves rows: whether each creates or changes an item, and the values for the command. Also finds the other problems
 * of rows whose cells have some.
 */
export async function resolveRows(
  rows: readonly ParsedRow[],
  spec: ImportSpec,
  head: readonly string[],
  { indexes }: ColumnMap,
  lookups: Lookups,
): Promise<ResolvedRows> {
  const problems: RowProblem[] = [];
  const resolvedRows: ResolvedRow[] = [];
  const leftOut = new Map<string, number>();
  const linesByItem = new Map<string, number>();
  const takeTurn = pause();
  for (const row of rows) {
    await takeTurn();
    const rowProblems: RowProblem[] = [];
    const add = (reason: Message, param?: string): void => {
      const index = param === undefined ? undefined : indexes.get(param);
      rowProblems.push({ line: row.line, ...(index === undefined ? {} : { column: head[index]! }), reason });
    };
    const item = lookups.itemOf(row);
    const problem = itemProblem(item, row, spec);
    if (problem) add(problem, row.id === '' && spec.create ? nameParam(spec) : ID);
    const values = problem ? {} : resolveValues(row, item, spec, lookups, add, leftOut);
    const identity = identityOf(item, row, spec);
    const earlierLine = linesByItem.get(identity);
    if (earlierLine !== undefined) add(message('running:import.repeatedRow', { line: earlierLine }));
    else if (!problem) linesByItem.set(identity, row.line);
    problems.push(...rowProblems);
    if (rowProblems.length === 0 && row.wrong.length === 0)
      resolvedRows.push({ line: row.line, label: labelOf(item, row, spec), item, values });
  }
  return { rows: resolvedRows, problems, leftOut };
}

/** Returns the problem with the item that a row is about. */
function itemProblem(item: unknown, { id }: ParsedRow, { entity, create }: ImportSpec): Message | undefined {
  if (isProblem(item)) return item;
  if (item !== undefined || (id === '' && create)) return undefined;
  return id === '' ? message('running:import.missingItem', entityName(entity)) : unknownName(entity, id);
}

const entityName = ({ name }: ImportSpec['entity']): { readonly entity: Message } => ({
  entity: message(`${name}:one`),
});

/** Resolves the values of a row, and adds its problems. */
function resolveValues(
  row: ParsedRow,
  item: unknown,
  spec: ImportSpec,
  lookups: Lookups,
  add: (reason: Message, param?: string) => void,
  leftOut: Map<string, number>,
): ResolvedArgs {
  const isNew = item === undefined;
  const command: Command = isNew ? spec.create! : spec.edit!;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row.args)) {
    // A row that names its item without an id doesn't rename it.
    if (value === undefined || (!isNew && row.id === '' && name === nameParam(spec))) continue;
    const param = command.params[name];
    if (!param) {
      if (isNew) add(message('running:import.notForNew', entityName(spec.entity)), name);
      else leftOut.set(name, (leftOut.get(name) ?? 0) + 1);
      continue;
    }
    const resolved = lookups.resolve(param, value);
    if ('problem' in resolved) add(resolved.problem, name);
    else values[name] = resolved.value;
  }
  for (const [name, param] of Object.entries(isNew ? command.params : {})) {
    if (isRequired(param, row.args) && row.args[name] === undefined && !row.wrong.includes(name))
      add(missingMessage(param), name);
  }
  return values;
}

/** Returns the same text for two rows that are about the same item. */
function identityOf(item: unknown, row: ParsedRow, spec: ImportSpec): string {
  if (item !== undefined && !isProblem(item)) return `item ${spec.entity.id(item)}`;
  const name = nameParam(spec);
  const key = name === undefined ? undefined : row.args[name];
  return key === undefined || row.id !== '' ? `row ${row.line}` : `new ${JSON.stringify(key).toLowerCase()}`;
}

function labelOf(item: unknown, { args, line }: ParsedRow, spec: ImportSpec): string {
  if (item !== undefined) return spec.entity.label(item);
  const name = nameParam(spec);
  const value = name === undefined ? undefined : args[name];
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : `${line}`;
}
