import type { Kind, KindValues } from '#commands/model/arg-value.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Param } from '#commands/model/kinds.ts';
import { message } from '#commands/text/message.ts';
import { nearestNames } from '#commands/text/near.ts';

import { ERROR_COLUMN, type ProblemArgs } from './problems.ts';
import type { Table } from './table.ts';

/** What an import needs to know of a noun: its entity and its own commands. */
export interface ImportSpec {
  readonly entity: AnyEntity;
  /** The command that creates an item. */
  readonly create?: Command;
  /** The command that edits items. A row then changes the item that it names, if there is one. */
  readonly edit?: Command;
  /** A list param of `create` that takes one entry per row, for a command that creates several items at once. */
  readonly each?: string;
}

export interface ImportArgs extends ProblemArgs {
  /** The param that a column sets, by its head, or nothing to leave the column out. */
  readonly map?: KindValues['pairs'] | undefined;
}

/** The kinds whose values can be a cell. A secret in a table would be kept in the history. */
const CELL_KINDS: readonly Kind[] = [
  'text',
  'number',
  'flag',
  'duration',
  'time',
  'choice',
  'choices',
  'words',
  'pairs',
  'ref',
  'refs',
];

const isCell = (param: Param): boolean =>
  CELL_KINDS.includes(param.kind) && !(param.kind === 'pairs' && param.hidden === true);

/** Returns the params that columns can set. A flag of `edit` with a default is an acknowledgement, not a field. */
export function importableParams({ create, edit }: ImportSpec): Readonly<Record<string, Param>> {
  const edited = Object.entries(edit?.params ?? {}).filter(
    ([, param]) => isCell(param) && !(param.kind === 'flag' && param.fallback !== undefined),
  );
  const created = Object.entries(create?.params ?? {}).filter(([, param]) => isCell(param));
  return Object.fromEntries([...edited, ...created]);
}

/** The column that names the item of a row. */
export const ID = 'id';

/** The index of the column for each param, and for the {@link ID}. */
export interface ColumnMap {
  readonly indexes: ReadonlyMap<string, number>;
  /** The heads of columns that show something that an import can't set. */
  readonly ignored: readonly string[];
}

/** Compares heads without case, spaces, and punctuation, and without a plural. */
export const fold = (text: string): string => {
  const letters = text.toLocaleLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return letters.length > 3 ? letters.replace(/s$/, '') : letters;
};

/** Returns a head without the unit that an export adds. */
const withoutUnit = (head: string): string => head.replace(/\s*\([^()]*\)$/, '');

/**
 * Guesses which param each column sets, from the names and the labels of params. `chosen` overrules the guess: a param
 * by head, or nothing to leave the column out.
 *
 * @throws CommandError if a column is unknown, or if the table doesn't say which items it is about
 */
export function mapColumns(
  spec: ImportSpec,
  { head, headLine }: Table,
  chosen: KindValues['pairs'],
  context: Context,
): ColumnMap {
  const names = knownNames(spec, context);
  const targets = [...(spec.edit ? [ID] : []), ...Object.keys(importableParams(spec))];
  const choices = new Map(Object.entries(chosen).map(([name, target]) => [fold(name), target.trim()]));
  for (const [name, target] of Object.entries(chosen)) {
    if (!head.some((cell) => fold(cell) === fold(name)))
      throw new CommandError(message('running:import.noSuchColumn', { name, columns: head.join(', ') }), 'map');
    if (target.trim() !== '' && !targets.includes(target.trim())) throw unknownError(target.trim(), targets);
  }
  const indexes = new Map<string, number>();
  const ignored: string[] = [];
  for (const [index, cell] of head.entries()) {
    const choice = choices.get(fold(cell));
    const target = choice ?? names.get(fold(cell)) ?? names.get(fold(withoutUnit(cell)));
    if (cell === '' || choice === '' || fold(cell) === ERROR_COLUMN) continue;
    if (target === undefined) throw unknownError(cell, targets);
    if (target === READ_ONLY) ignored.push(cell);
    else if (indexes.has(target))
      throw new CommandError(
        message('running:import.repeatedColumn', { name: cell, other: head[indexes.get(target)!]!, target }),
        'map',
      );
    else indexes.set(target, index);
  }
  const [key] = targets;
  if (indexes.size === 0 || (!spec.create && !indexes.has(ID)))
    throw new CommandError(
      message('running:import.noColumn', { line: headLine, name: key!, columns: targets.join(', ') }),
    );
  return { indexes, ignored };
}

/** A column of the entity that no param sets. */
const READ_ONLY = '';

/** Returns the params by the folded names and labels that mean them. */
function knownNames(spec: ImportSpec, { host: { translate } }: Context): ReadonlyMap<string, string> {
  const { entity, create, edit } = spec;
  const names = new Map<string, string>();
  const add = (text: string | undefined, target: string): void => {
    const key = fold(text ?? '');
    if (key !== '' && !names.has(key)) names.set(key, target);
  };
  const params = Object.keys(importableParams(spec));
  const claimedParams = new Set(entity.columns.flatMap(({ param }) => param ?? []));
  const addColumn = (column: AnyEntity['columns'][number], target: string): void => {
    add(column.id, target);
    add(translate?.(entityLabels.column(entity, column)), target);
  };
  if (edit) for (const name of [ID, entity.name, entity.idKey]) add(name, ID);
  // A column can have the name of a param that sets another column: a webhook has tags, and filters by others.
  for (const column of entity.columns) {
    if (column.param !== undefined && params.includes(column.param)) addColumn(column, column.param);
    else if (claimedParams.has(column.id)) addColumn(column, READ_ONLY);
  }
  for (const name of params) add(name, name);
  for (const name of params) {
    for (const command of [create, edit]) {
      if (command && name in command.params) add(translate?.(commandLabels.param(command, name)), name);
    }
  }
  if (edit) add(translate?.(entityLabels.one(entity)), ID);
  for (const column of entity.columns) addColumn(column, edit && column.id === entity.idKey ? ID : READ_ONLY);
  return names;
}

function unknownError(name: string, targets: readonly string[]): CommandError {
  const [near] = nearestNames(name, targets, 1);
  return new CommandError(
    near === undefined
      ? message('running:import.unknownColumn', { name, columns: targets.join(', ') })
      : message('running:import.unknownColumnNear', { name, near }),
    'map',
  );
}
