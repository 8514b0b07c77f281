import { targetParam } from '#commands/model/command.ts';
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
import { message, type Message } from '#commands/text/message.ts';

import type { Entry } from './history.ts';
import { run, type PreparedRun } from './run.ts';
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
  for (const [index, step] of steps.entries()) {
    const before = results.length;
    try {
      if (context.stop.aborted) {
        remainingInvocations.push(toInvocation(step));
        results.push(...targets(step).map(({ id, label }) => ({ id, label, skipped: true })));
        continue;
      }
      const progress: Context['progress'] = ({ done }) => context.progress({ done: before + done, total });
      const { outcome } = await run(step, { ...context, signal: context.stop, progress }, context.monitor);
      for (const name of outcome.changed ?? []) changed.add(name);
      results.push(...(outcome.results ?? []));
      if (outcome.message) messages.push(outcome.message);
      remainingInvocations.push(...listRemaining(step, outcome));
    } catch (error) {
      remainingInvocations.push(...steps.slice(index).map(toInvocation));
      throw new UndoError(partialResult(), error);
    }
  }
  return partialResult();
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
