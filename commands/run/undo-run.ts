import { targetParam, type ResolvedArgs } from '#commands/model/command.ts';
import type { Context, RunContext } from '#commands/model/context.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Plan } from '#commands/model/plan.ts';
import {
  failedResults,
  skippedResults,
  succeededResults,
  type ItemResult,
  type Outcome,
} from '#commands/model/result.ts';
import type { SelectedItems } from '#commands/model/target.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message, type Message } from '#commands/text/message.ts';

import { runInBatches } from './batch.ts';
import type { Entry } from './history.ts';
import { run, type PreparedRun } from './run.ts';
import { followSteps, wholeStep } from './undo-record.ts';
import { type Commands, type PreparedUndo, titleOf } from './undo.ts';

/** The outcome of an undo, and the remaining part of the inverse. */
export interface UndoResult {
  readonly outcome: Outcome;
  readonly remaining: readonly Invocation[];
}

/** Thrown if a whole step of an inverse fails. `undone` is the outcome of the steps before it. */
export class UndoError extends Error {
  readonly undone: UndoResult;

  constructor(undone: UndoResult, cause: unknown) {
    super('The undo partly failed.', { cause });
    this.name = 'UndoError';
    this.undone = undone;
  }
}

/**
 * Runs the steps of an inverse in order. Failed and skipped items are in `remaining`, so the next undo can continue
 * with them.
 *
 * @throws UndoError if a whole step fails.
 */
export async function runUndo(
  { entry, steps, plan }: PreparedUndo,
  commands: Commands,
  context: RunContext,
): Promise<UndoResult> {
  const results: ItemResult[] = [];
  const changed = new Set<string>();
  const remainingInvocations: Invocation[] = [];
  const messages: Message[] = [];
  const total = steps.reduce((sum, step) => sum + (step.plan?.count ?? 1), 0);
  const partialResult = (): UndoResult => ({
    outcome: { changed: [...changed], results, message: outcomeMessage(entry, commands, results, messages, plan) },
    remaining: remainingInvocations,
  });
  const indices = new Map(steps.map((step, index) => [step, index]));
  let index = 0;
  let reported = 0;
  for (const group of groupSteps(steps)) {
    const before = results.length;
    const [step] = group as [PreparedRun];
    const report = (done: number): void => {
      reported = done;
      context.progress({ done, total });
    };
    const progress: Context['progress'] = ({ done }) => report(before + done);
    try {
      if (group.length > 1) {
        for (const [part, outcome] of await runTogether(group, indices, { ...context, progress })) {
          for (const name of outcome.changed ?? []) changed.add(name);
          results.push(...(outcome.results ?? []));
          if (outcome.message) messages.push(outcome.message);
          remainingInvocations.push(...listRemaining(part, outcome));
        }
        continue;
      }
      await context.monitor?.ready();
      if (context.stop.aborted) {
        remainingInvocations.push(toInvocation(step));
        results.push(...targets(step).map(({ id, label }) => ({ id, label, skipped: true })));
        continue;
      }
      const outcome = await runStep(step, index, { ...context, progress });
      for (const name of outcome.changed ?? []) changed.add(name);
      results.push(...(outcome.results ?? []));
      if (outcome.message) messages.push(outcome.message);
      remainingInvocations.push(...listRemaining(step, outcome));
      // A command for one item doesn't report its progress.
      if (results.length > reported) report(results.length);
    } catch (error) {
      remainingInvocations.push(...steps.slice(index).map(toInvocation));
      throw new UndoError(partialResult(), error);
    } finally {
      index += group.length;
    }
  }
  return partialResult();
}

/** Runs one step, and follows its calls. */
async function runStep(step: PreparedRun, index: number, context: RunContext): Promise<Outcome> {
  const { monitor } = context;
  const runContext: Context = { ...context, signal: context.stop };
  if (!monitor) return (await run(step, runContext)).outcome;
  const follower = followSteps(monitor, () => index);
  const wholeIds = wholeStep(step);
  if (!wholeIds) {
    const { outcome } = await run(step, runContext, follower);
    // A command that doesn't report its calls is followed afterwards.
    if (!follower.hasBegun() && outcome.results) await follower.end?.(outcome.results);
    return outcome;
  }
  await follower.begin?.(wholeIds);
  const { outcome } = await run(step, runContext, { ready: () => monitor.ready() });
  const failure = failedResults(outcome)[0]?.failure;
  await follower.end?.(wholeIds.map((id) => ({ id, label: '', ...(failure ? { failure } : {}) })));
  return outcome;
}

/** Puts consecutive steps together that can share calls. A group never names an item twice. */
function groupSteps(steps: readonly PreparedRun[]): readonly (readonly PreparedRun[])[] {
  const groups: PreparedRun[][] = [];
  let ids = new Set<string>();
  for (const step of steps) {
    const [first] = groups.at(-1) ?? [];
    const stepIds = step.command.together ? itemsOf(step).ids : [];
    const canJoin = stepIds.length > 0 && first?.command.id === step.command.id && !stepIds.some((id) => ids.has(id));
    if (canJoin) groups.at(-1)!.push(step);
    else {
      groups.push([step]);
      ids = new Set();
    }
    for (const id of stepIds) ids.add(id);
  }
  return groups;
}

const itemsOf = ({ command, resolved }: PreparedRun): SelectedItems<unknown> =>
  resolved[targetParam(command)!.name] as SelectedItems<unknown>;

/** Runs the steps of a command that can give each item its own values, in as few calls as possible. */
async function runTogether(
  steps: readonly PreparedRun[],
  indices: ReadonlyMap<PreparedRun, number>,
  context: RunContext,
): Promise<ReadonlyMap<PreparedRun, Outcome>> {
  const { command } = steps[0]!;
  const { entity } = targetParam(command)!;
  const outcomes = new Map<PreparedRun, Outcome>();
  const items = steps.flatMap((step) => changedItems(step).map((item) => ({ step, item, id: entity.id(item) })));
  const stepsById = new Map(items.map(({ id, step }) => [id, step]));
  const monitor = context.monitor && followSteps(context.monitor, (id) => indices.get(stepsById.get(id)!)!);
  const results = await runInBatches(monitor ? { ...context, monitor } : context, {
    items,
    id: ({ id }) => id,
    label: ({ item }) => entity.label(item),
    groupKey: ({ item }) => command.together!.key(item),
    change: async (chunk) => {
      const parts = [...groupBy(chunk, ({ step }) => step)];
      const args = parts.map(([step, part]) =>
        limitTo(
          step,
          part.map(({ item }) => item),
        ),
      );
      const newOutcomes = await command.together!.run(context, args);
      for (const [index, [step]] of parts.entries()) outcomes.set(step, newOutcomes[index]!);
    },
  });
  const resultsById = new Map(results.map((result) => [result.id, result]));
  const idsByStep = groupBy(items, ({ step }) => step);
  return new Map(
    steps.map((step) => [
      step,
      { ...outcomes.get(step), results: (idsByStep.get(step) ?? []).flatMap(({ id }) => resultsById.get(id) ?? []) },
    ]),
  );
}

/** Returns the items that a step changes, without those that are as they should be. */
function changedItems(step: PreparedRun): readonly unknown[] {
  const { items } = itemsOf(step);
  const ids = new Set((step.plan?.changes ?? []).map(({ id }) => id));
  const { entity } = targetParam(step.command)!;
  return items.filter((item) => ids.has(entity.id(item)));
}

function limitTo({ command, resolved }: PreparedRun, items: readonly unknown[]): ResolvedArgs {
  const { entity, name } = targetParam(command)!;
  return { ...resolved, [name]: { ids: items.map((item) => entity.id(item)), items } };
}

function toInvocation({ command, args }: PreparedRun): Invocation {
  return { id: command.id, args };
}

function targets(step: PreparedRun): readonly { readonly id: string; readonly label: string }[] {
  return [...new Map((step.plan?.changes ?? []).map((change) => [change.id, change])).values()];
}

/** Returns the remaining part of a step, which contains the failed and skipped items. */
function listRemaining({ command, args }: PreparedRun, outcome: Outcome): readonly Invocation[] {
  const ids = [...failedResults(outcome), ...skippedResults(outcome)].map(({ id }) => id);
  if (ids.length === 0) return [];
  const target = targetParam(command);
  return [{ id: command.id, args: target ? { ...args, [target.name]: { ids } } : args }];
}

function outcomeMessage(
  entry: Entry,
  commands: Commands,
  results: readonly ItemResult[],
  messages: readonly Message[],
  plan: Plan,
): Message {
  const title = titleOf(entry, commands);
  const { length: count } = succeededResults({ results });
  if (count < results.length) return message('running:undo.part', { title, done: count, total: plan.count });
  const [onlyMessage, ...others] = messages;
  const isNewMessage = onlyMessage !== undefined && !isSameMessage(onlyMessage, entry.run.outcome.message);
  return isNewMessage && others.length === 0 ? onlyMessage : message('running:undo.done', { title });
}

/**
 * True if both messages are the same. If an undo repeated the original change's message, it would look like another
 * change.
 */
function isSameMessage(a: Message, b: Message | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
