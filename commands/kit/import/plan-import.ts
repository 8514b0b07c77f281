import { valueText } from '#commands/kit/editing.ts';
import type { ArgValue } from '#commands/model/arg-value.ts';
import { commandLabels, type Command } from '#commands/model/command.ts';
import { entityLabels } from '#commands/model/entity.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Change, Plan, ValueText } from '#commands/model/plan.ts';
import { stagesFor } from '#commands/run/stages.ts';
import { sumNotes } from '#commands/run/undo.ts';
import { listMessage, message, type Message } from '#commands/text/message.ts';

import { fold, ID, type ImportArgs, type ImportSpec } from './columns.ts';
import { nameParam } from './lookups.ts';
import { onlySaves, planSave, rejectWrongRows, skipNotes } from './problems.ts';
import type { Import } from './read-import.ts';
import { idOf } from './rows.ts';
import { changedRows, type Step } from './steps.ts';

/** The maximum number of notes of the noun's own commands in a plan. */
const MAX_NOTES = 10;
/** A note of an edit that the plan of an import replaces with its own. */
const UNCHANGED_NOTE = 'common:plan.same';

/** The number of items that a step creates, changes, and leaves as they are. */
export function countStep({ kind, plan, rows }: Step) {
  const { length } = rows;
  return kind === 'create'
    ? { created: length, changed: 0, unchanged: 0 }
    : { created: 0, changed: plan.count, unchanged: length - plan.count };
}

/**
 * Plans an import.
 *
 * @throws CommandError that lists the problems, unless the arguments say what to do with such rows
 */
export function planImport(prepared: Import, spec: ImportSpec, args: ImportArgs): Plan {
  const { steps, problems, columns, leftOut } = prepared;
  rejectWrongRows(problems, args);
  if (onlySaves(prepared, args)) return planSave(problems);
  const counts = steps.map(countStep);
  const sum = (name: 'created' | 'changed' | 'unchanged'): number =>
    counts.reduce((total, count) => total + count[name], 0);
  const [created, changed, unchanged] = [sum('created'), sum('changed'), sum('unchanged')];
  const counted = (key: string, count: number): readonly Message[] =>
    count > 0 ? [message(`running:import.${key}`, { count })] : [];
  const named = (key: string, names: readonly (string | Message)[]): readonly Message[] => {
    const list = listMessage(names);
    return list === undefined ? [] : [message(`running:import.${key}`, { names: list })];
  };
  return {
    summary: message('running:import.plan', { items: entityLabels.count(spec.entity, created + changed) }),
    count: created + changed,
    changes: steps.flatMap((step) => changesOf(step, spec)),
    comparedChanges: steps.flatMap((step) => comparedChanges(step, spec)),
    items: steps.flatMap((step) => changedRows(step, spec.entity).map((row) => ({ id: idOf(row), label: row.label }))),
    ...stagesFor(created + changed),
    notes: [
      ...counted('creates', created),
      ...counted('changes', changed),
      ...counted('unchanged', unchanged),
      ...named('reads', columnNames(prepared, spec)),
      ...named('ignores', columns.ignored),
      ...[...leftOut].map(([name, count]) =>
        message('running:import.leavesOut', { name: paramLabel(spec.create, name), count }),
      ),
      ...stepNotes(steps),
      ...skipNotes(problems),
    ],
    reversible: steps.every(({ plan }) => plan.reversible),
  };
}

/** Returns the heads of the columns that the import reads, with what they set if that isn't their name. */
function columnNames({ columns, table }: Import, { create, edit, entity }: ImportSpec): readonly (string | Message)[] {
  return [...columns.indexes]
    .toSorted(([, a], [, b]) => a - b)
    .map(([name, index]) => {
      const head = table.head[index]!;
      if (fold(head) === fold(name)) return head;
      if (name === ID)
        return head.toLowerCase() === entity.idKey ? head : message('running:import.mapped', { head, name: ID });
      const command = create && name in create.params ? create : edit;
      return message('running:import.mapped', { head, name: paramLabel(command, name) });
    });
}

/** Merges the notes of the noun's own commands. */
function stepNotes(steps: readonly Step[]): readonly Message[] {
  const notes = sumNotes(steps.flatMap(({ plan }) => plan.notes ?? []).filter(({ key }) => key !== UNCHANGED_NOTE));
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), message('running:import.more', { count: more })] : notes;
}

const paramLabel = (command: Command | undefined, name: string): Message | string =>
  command ? commandLabels.param(command, name) : name;

/** Returns the changes that an undo reverts, with the row of each. It deletes what was created. */
function comparedChanges({ kind, plan, rows }: Step, { entity }: ImportSpec): NonNullable<Plan['comparedChanges']> {
  if (kind === 'create') return [];
  const lines = new Map(rows.map((row) => [entity.id(row.item), idOf(row)]));
  return plan.changes.map((change) => ({ ...change, source: lines.get(change.id) ?? '' }));
}

/** Returns what the plan shows for a step: the changes of its command or, for new items, their values. */
function changesOf({ kind, command, plan, rows }: Step, spec: ImportSpec): readonly Change[] {
  if (kind === 'edit' || plan.changes.length > 0) return plan.changes;
  return rows.flatMap((row) => {
    const values = Object.entries(row.values);
    // The label is already the name.
    const shownValues = values.length > 1 ? values.filter(([name]) => name !== nameParam(spec)) : values;
    return shownValues.map(([name, value]): Change => {
      const param = command.params[name]!;
      return {
        id: `${row.line}`,
        label: row.label,
        field: commandLabels.param(command, name),
        after: newText(param, value),
      };
    });
  });
}

/** Returns the text of a new value. */
function newText(param: Param, value: unknown): ValueText {
  if (param.kind === 'ref' || param.kind === 'refs') {
    const { label } = param.entity();
    const names = [value].flat().map((item) => (param.orCreate ? newOrLabel(item, label) : label(item)));
    return names.join(', ') || undefined;
  }
  if (param.kind === 'choices' && param.label) return listMessage((value as readonly string[]).map(param.label));
  if (Array.isArray(value)) return value.join(', ');
  return valueText({ current: () => undefined, param }, value as ArgValue);
}

const newOrLabel = (found: unknown, label: (item: unknown) => string): string => {
  const { item, create } = found as { readonly item?: unknown; readonly create?: string };
  return create ?? label(item);
};
