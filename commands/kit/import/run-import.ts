import { Code, ConnectError } from '@connectrpc/connect';

import { runInBatches } from '#commands/kit/batch.ts';
import type { RunContext } from '#commands/model/context.ts';
import { entityLabels } from '#commands/model/entity.ts';
import { failureOf, isRejectedCall } from '#commands/model/errors.ts';
import type { Args, Invocation } from '#commands/model/invocation.ts';
import { succeededResults, type ItemResult, type Outcome } from '#commands/model/result.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';

import type { ImportArgs, ImportSpec } from './columns.ts';
import { countStep } from './plan-import.ts';
import { onlySaves, problemResult, runSave, saveOtherRows, type RowProblem } from './problems.ts';
import type { Import } from './read-import.ts';
import type { ResolvedRow } from './rows.ts';
import type { Step } from './steps.ts';

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
  // A step whose items are as they should be has nothing to do.
  const changingSteps = steps.filter((step) => step.kind === 'create' || step.plan.count > 0);
  const outcomes = await runSteps(context, changingSteps);
  const results = changingSteps.flatMap((step) => outcomes.get(step)?.results ?? []);
  const countOf = (kind: Step['kind']): number =>
    changingSteps
      .filter((step) => step.kind === kind)
      .reduce((sum, step) => sum + succeededResults(outcomes.get(step)!).length, 0);
  const counts = { created: countOf('create'), changed: countOf('edit') };
  const failures = [...failedProblems(spec, changingSteps, outcomes), ...problems];
  const count = counts.created + counts.changed;
  const done =
    count === 0
      ? message('common:done.nothing')
      : message('running:import.done', { items: entityLabels.count(entity, count) });
  return {
    outcome: {
      changed: [...new Set([entity.name, ...[...outcomes.values()].flatMap(({ changed = [] }) => changed)])],
      results: [...results, ...problems.map(problemResult)],
      message: args.save ? await saveOtherRows(context, entity.plural, table, failures, done) : done,
      data: { ...counts, unchanged: steps.reduce((sum, step) => sum + countStep(step).unchanged, 0) },
    },
    inverse: mergeInvocations(
      changingSteps.flatMap((step) => step.command.inverse?.(step.args, outcomes.get(step)!, {}) ?? []),
    ),
  };
}

/** Runs each step. A step that the server rejects as a whole fails for all of its rows. */
async function runSteps(context: RunContext, steps: readonly Step[]): Promise<ReadonlyMap<Step, Outcome>> {
  const outcomes = new Map<Step, Outcome>();
  const total = steps.reduce((sum, { rows }) => sum + rows.length, 0);
  let done = 0;
  let isUnreachable = false;
  const results = await runInBatches(
    { ...context, progress: () => undefined },
    {
      items: steps,
      id: ({ rows: [first] }) => `${first!.line}`,
      label: (step) => step.rows[0]!.label,
      size: 1,
      change: async ([step]) => {
        if (isUnreachable) throw new ConnectError('', Code.Unavailable);
        const doneBefore = done;
        const progress: RunContext['progress'] = (part) => context.progress({ done: doneBefore + part.done, total });
        const outcome = await runStep({ ...context, progress }, step!);
        outcomes.set(step!, outcome);
        done += step!.rows.length;
        context.progress({ done, total });
        const { results: stepResults = [] } = outcome;
        isUnreachable = stepResults.length > 0 && stepResults.every(({ failure }) => failure?.code === 'unavailable');
      },
    },
  );
  for (const [index, { failure, skipped }] of results.entries()) {
    const step = steps[index]!;
    if (outcomes.has(step)) continue;
    const state = failure ? { failure } : skipped ? { skipped } : {};
    outcomes.set(step, { results: step.rows.map(({ line, label }) => ({ id: `${line}`, label, ...state })) });
  }
  return outcomes;
}

/** Runs a step. If it fails after creating an item, the outcome is that item, so undo can delete it. */
async function runStep(context: RunContext, { command, args, rows }: Step): Promise<Outcome> {
  try {
    const outcome = await command.run(context, args);
    return outcome.results
      ? outcome
      : { ...outcome, results: rows.map(({ line, label }) => ({ id: `${line}`, label })) };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.createdItem) throw error;
    if (!isRejectedCall(failure)) context.host.report?.(error);
    return { results: [{ ...failure.createdItem, failure }], data: { ids: [failure.createdItem.id] } };
  }
}

/** Returns the failures of rows as problems, for a table to fix. */
function failedProblems(
  { entity }: ImportSpec,
  steps: readonly Step[],
  outcomes: ReadonlyMap<Step, Outcome>,
): readonly RowProblem[] {
  return steps.flatMap(({ rows, kind }, index) => {
    const { results = [] } = outcomes.get(steps[index]!) ?? {};
    const rowOf = ({ id, label }: ItemResult): ResolvedRow | undefined =>
      rows.length === 1
        ? rows[0]
        : rows.find((row) =>
            kind === 'edit' ? entity.id(row.item) === id : row.label.toLowerCase() === label.toLowerCase(),
          );
    return results.flatMap((result): readonly RowProblem[] => {
      const { failure } = result;
      const row = failure && rowOf(result);
      return row ? [{ line: row.line, reason: failure.message }] : [];
    });
  });
}

/** Merges invocations that do the same to different items, so undo looks up and plans their items together. */
export function mergeInvocations(invocations: readonly Invocation[]): readonly Invocation[] {
  const groups = groupBy(invocations, ({ id, args }) => JSON.stringify([id, splitTarget(args).others]));
  return [...groups.values()].flatMap((group) => {
    const [{ id, args }] = group as [Invocation];
    const { name, others } = splitTarget(args);
    if (name === undefined) return group;
    return [{ id, args: { ...others, [name]: { ids: group.flatMap((part) => splitTarget(part.args).ids) } } }];
  });
}

/** Splits arguments into the ids of the target and the others. */
function splitTarget(args: Args) {
  const entry = Object.entries(args).find(([, value]) => typeof value === 'object' && 'ids' in value);
  if (!entry) return { name: undefined, ids: [], others: args };
  const [name, { ids }] = entry as unknown as [string, { readonly ids: readonly string[] }];
  return { name, ids, others: { ...args, [name]: undefined } };
}
