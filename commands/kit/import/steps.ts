import type { Command, ResolvedArgs } from '#commands/model/command.ts';
import type { Context } from '#commands/model/context.ts';
import type { AnyEntity } from '#commands/model/entity.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Param } from '#commands/model/kinds.ts';
import type { Plan } from '#commands/model/plan.ts';
import { availability } from '#commands/run/availability.ts';
import { groupBy } from '#commands/text/group-by.ts';

import type { ColumnMap, ImportSpec } from './columns.ts';
import { pause } from './pause.ts';
import type { RowProblem } from './problems.ts';
import type { ResolvedRow } from './rows.ts';

/** One run of one of the noun's own commands, for the rows that it can do at once. */
export interface Step {
  readonly kind: 'create' | 'edit';
  readonly command: Command;
  readonly args: ResolvedArgs;
  readonly rows: readonly ResolvedRow[];
  readonly plan: Plan;
}

/**
 * Plans rows with the noun's own commands, which check them as if the user had typed them. Rows with the same new
 * values are one step, unless the command rejects them together.
 */
export async function planSteps(
  rows: readonly ResolvedRow[],
  spec: ImportSpec,
  head: readonly string[],
  { indexes }: ColumnMap,
  context: Context,
): Promise<{ readonly steps: readonly Step[]; readonly problems: readonly RowProblem[] }> {
  const steps: Step[] = [];
  const problems: RowProblem[] = [];
  const takeTurn = pause();
  const groups = groupBy(rows, (row) => groupKey(row, spec));
  let done = 0;
  for (const group of groups.values()) await planGroup(group);
  return { steps, problems };

  async function planGroup(group: readonly ResolvedRow[]): Promise<void> {
    context.signal.throwIfAborted();
    await takeTurn();
    const kind = group[0]!.item === undefined ? 'create' : 'edit';
    const command = kind === 'create' ? spec.create! : spec.edit!;
    const args = argsOf(command, group, spec);
    try {
      const available = availability(command, { ...context, focus: undefined });
      if (!available.ok) throw new CommandError(available.reason.message);
      const [first] = Object.entries(command.problems?.(context, args) ?? {});
      if (first?.[1]) throw new CommandError(first[1], first[0]);
      const plan = await command.plan!(context, args);
      steps.push({ kind, command, args, rows: group, plan });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (group.length > 1) {
        const half = Math.ceil(group.length / 2);
        await planGroup(group.slice(0, half));
        return planGroup(group.slice(half));
      }
      const index = error.param === undefined ? undefined : indexes.get(error.param);
      problems.push({
        line: group[0]!.line,
        ...(index === undefined ? {} : { column: head[index]! }),
        reason: error.userMessage,
      });
    }
    done += group.length;
    context.progress({ done, total: rows.length });
  }
}

/** Returns the same key for rows that a command can do at once. */
function groupKey({ line, item, values }: ResolvedRow, { create, edit, each }: ImportSpec): string {
  const isCreate = item === undefined;
  if (isCreate && each === undefined) return `new ${line}`;
  const params = (isCreate ? create : edit)?.params ?? {};
  // The columns of a table have one order, so equal rows have equal text.
  const parts = Object.entries(values)
    .filter(([name]) => !isCreate || name !== each)
    .map(([name, value]) => [name, keyOf(params[name], value)]);
  return `${isCreate ? 'new' : 'item'} ${JSON.stringify(parts)}`;
}

/** Returns the ids of items that a value refers to, and any other value as it is. */
function keyOf(param: Param | undefined, value: unknown): unknown {
  if (param?.kind !== 'ref' && param?.kind !== 'refs') return value;
  const entity = param.entity();
  return [value].flat().map((item) => (param.orCreate ? item : entity.id(item)));
}

/** Returns the rows that a step creates or changes, without those of items that are as they should be. */
export function changedRows({ kind, plan, rows }: Step, entity: AnyEntity): readonly ResolvedRow[] {
  if (kind === 'create') return rows;
  if (plan.count === 0) return [];
  if (plan.count === rows.length) return rows;
  const changedIds = new Set(plan.changes.map(({ id }) => id));
  return rows.filter(({ item }) => changedIds.has(entity.id(item)));
}

/** Returns the part of a step that is about some of its rows. */
export function limitStep(step: Step, rows: readonly ResolvedRow[], spec: ImportSpec): Step {
  return rows.length === step.rows.length ? step : { ...step, rows, args: argsOf(step.command, rows, spec) };
}

/** Returns the arguments of a command for some rows, as it would receive them. */
function argsOf(command: Command, rows: readonly ResolvedRow[], { entity, each }: ImportSpec): ResolvedArgs {
  const defaults = Object.fromEntries(Object.entries(command.params).map(([name, param]) => [name, param.fallback]));
  const args: Record<string, unknown> = { ...defaults, ...rows[0]!.values };
  const items = rows.flatMap(({ item }) => (item === undefined ? [] : [item]));
  if (items.length === 0) {
    if (each !== undefined) args[each] = rows.flatMap(({ values }) => values[each] ?? []);
    return args;
  }
  return { ...args, [command.target!.name]: { ids: items.map((item) => entity.id(item)), items } };
}
