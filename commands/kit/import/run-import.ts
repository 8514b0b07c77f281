import type { CallMonitor, RunContext } from '#commands/model/context.ts';
import { entityLabels, type AnyEntity } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { succeededResults, type ItemResult, type Outcome } from '#commands/model/result.ts';
import { runInBatches, type ItemState } from '#commands/run/batch.ts';
import { mergeInvocations } from '#commands/run/merge-invocations.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import type { ImportArgs, ImportSpec } from './columns.ts';
import { countStep } from './plan-import.ts';
import { onlySaves, problemResult, runSave, saveOtherRows, type RowProblem } from './problems.ts';
import type { Import } from './read-import.ts';
import { idOf, type ResolvedRow } from './rows.ts';
import { changedRows, limitStep, type Step } from './steps.ts';

interface CompletedImport {
  readonly outcome: Outcome;
  readonly inverse: readonly Invocation[];
}

/** Runs an import through the noun's own commands, with a result for every row. */
export async function runImport(
  context: RunContext,
  prepared: Import,
  spec: ImportSpec,
  args: ImportArgs,
): Promise<CompletedImport> {
  const { steps, problems, table } = prepared;
  const { entity } = spec;
  if (onlySaves(prepared, args))
    return { outcome: await runSave(context, entity.plural, table, problems), inverse: [] };
  const stepRows = steps.flatMap((step) => changedRows(step, entity).map((row) => ({ step, row })));
  const { results, parts } = await runSteps(context, spec, stepRows);
  const doneLines = new Set(succeededResults({ results }).map(({ id }) => id));
  const countOf = (kind: Step['kind']): number =>
    stepRows.filter(({ step, row }) => step.kind === kind && doneLines.has(idOf(row))).length;
  const counts = { created: countOf('create'), changed: countOf('edit') };
  const failures = [...failedProblems(results), ...problems];
  const count = counts.created + counts.changed;
  const done =
    count === 0
      ? message('common:done.nothing')
      : message('running:import.done', { items: entityLabels.count(entity, count) });
  return {
    outcome: {
      changed: [...new Set([entity.name, ...parts.flatMap(({ outcome: { changed = [] } }) => changed)])],
      results: [...results, ...problems.map(problemResult)],
      message: args.save ? await saveOtherRows(context, entity.plural, table, failures, done) : done,
      data: { ...counts, unchanged: steps.reduce((sum, step) => sum + countStep(step).unchanged, 0) },
    },
    inverse: mergeInvocations(parts.flatMap(({ step, outcome }) => inverseOf(step, outcome))),
  };
}

interface StepRow {
  readonly step: Step;
  readonly row: ResolvedRow;
}

/** The part of a step that one call did. */
interface Part {
  readonly step: Step;
  readonly outcome: Outcome;
}

const inverseOf = ({ command, args }: Step, outcome: Outcome): readonly Invocation[] =>
  command.inverse?.(args, outcome, {}) ?? [];

/** Runs the steps in the batches and stages of every change of many items, with a result for every row. */
async function runSteps(context: RunContext, spec: ImportSpec, items: readonly StepRow[]) {
  const { entity } = spec;
  const parts: Part[] = [];
  const stepsOf = (chunk: readonly StepRow[]): readonly Step[] =>
    [...groupBy(chunk, ({ step }) => step)].map(([step, stepRows]) =>
      limitStep(
        step,
        stepRows.map(({ row }) => row),
        spec,
      ),
    );
  let doneBefore = 0;
  const { ready } = context.monitor ?? {};
  // The commands make their calls one batch at a time, so only the batches here are counted and stored.
  const { staged: _staged, monitor: _monitor, ...others } = context;
  const partContext: RunContext = {
    ...others,
    ...(ready ? { monitor: { ready } satisfies CallMonitor } : {}),
    progress: ({ done }) => context.progress({ done: doneBefore + done, total: items.length }),
  };
  const stepIds = new Map([...new Set(items.map(({ step }) => step))].map((step, index) => [step, `${index}`]));
  const callKey = ({ step, row }: StepRow): string => {
    const { kind, command } = step;
    return kind === 'edit' && command.together ? JSON.stringify([command.together.key(row.item)]) : stepIds.get(step)!;
  };
  let latest: { readonly chunk: readonly StepRow[]; readonly parts: readonly Part[] } | undefined;
  const progress: RunContext['progress'] = (change) => {
    doneBefore = change.done;
    context.progress(change);
  };
  const results = await runInBatches(
    { ...context, progress },
    {
      items,
      id: ({ row }) => idOf(row),
      label: ({ row }) => row.label,
      groupKey: callKey,
      change: async (chunk) => {
        const steps = stepsOf(chunk);
        const outcomes = await runCall(partContext, steps);
        const newParts = steps.map((step, index): Part => ({ step, outcome: outcomes[index]! }));
        parts.push(...newParts);
        latest = { chunk, parts: newParts };
        return new Map(newParts.flatMap(({ step, outcome }) => [...statesOf(step, outcome, entity)]));
      },
      inverse: (chunk) => {
        if (latest?.chunk === chunk) return latest.parts.flatMap(({ step, outcome }) => inverseOf(step, outcome));
        return stepsOf(chunk).flatMap((step) => {
          // What a call creates is known only afterwards.
          if (step.kind === 'create') return [];
          const assumed = step.rows.map(({ item, label }): ItemResult => ({ id: entity.id(item), label }));
          return inverseOf(step, { results: assumed });
        });
      },
    },
  );
  return { results, parts };
}

/** Returns what happened to the rows that a step didn't change, by the ids of their results. */
function statesOf({ rows, kind }: Step, { results = [] }: Outcome, entity: AnyEntity): ReadonlyMap<string, ItemState> {
  const rowOf = ({ id, label }: ItemResult): ResolvedRow | undefined =>
    rows.length === 1
      ? rows[0]
      : rows.find((row) =>
          kind === 'edit' ? entity.id(row.item) === id : row.label.toLowerCase() === label.toLowerCase(),
        );
  return new Map(
    results.flatMap((result): readonly (readonly [string, ItemState])[] => {
      const { failure, skipped } = result;
      const row = failure || skipped ? rowOf(result) : undefined;
      return row ? [[idOf(row), failure ? { failure } : { skipped: true }]] : [];
    }),
  );
}

/** Runs the steps of one call. Only those of a command that can give each item its own values are several. */
async function runCall(context: RunContext, steps: readonly Step[]): Promise<readonly Outcome[]> {
  const [first, ...others] = steps as [Step];
  if (others.length === 0) return [await runStep(context, first)];
  return first.command.together!.run(
    context,
    steps.map(({ args }) => args),
  );
}

/** Runs a step. If it fails after creating an item, the outcome is that item, so undo can delete it. */
async function runStep(context: RunContext, { command, args, rows }: Step): Promise<Outcome> {
  try {
    const outcome = await command.run(context, args);
    return outcome.results
      ? outcome
      : { ...outcome, results: rows.map((row) => ({ id: idOf(row), label: row.label })) };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.createdItem) throw error;
    if (!isRejectedCall(failure)) context.host.report?.(error);
    return { results: [{ ...failure.createdItem, failure }], data: { ids: [failure.createdItem.id] } };
  }
}

/** Returns the failures of rows as problems, for a table to fix. */
const failedProblems = (results: readonly ItemResult[]): readonly RowProblem[] =>
  results.flatMap(({ id, failure }) => (failure ? [{ line: Number(id), reason: failure.message }] : []));
