import { runContext, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Entry } from '#commands/run/history.ts';
import { runUndo, UndoError } from '#commands/run/undo-run.ts';
import { prepareUndo, titleOf } from '#commands/run/undo.ts';
import { message } from '#commands/text/message.ts';

import type { TerminalHistory } from './history.ts';

/** What undo needs from the terminal. */
export interface UndoTerminal {
  readonly registry: Registry;
  readonly context: Context;
  readonly history: TerminalHistory;
  /** Prompts for the secrets, which an inverse does not contain. */
  complete(invocation: Invocation): Promise<Invocation>;
}

/** An undo that has been planned but not yet run. */
export interface TerminalUndo {
  readonly preparedUndo: Awaited<ReturnType<typeof prepareUndo>>;
  /** The change, if it was already reverted and there is nothing left to undo. */
  readonly revertedEntry?: Entry;
  /** Removes the change from the history, if there is nothing left to undo. */
  removeChange(): void;
  run(): Promise<Outcome>;
}

/**
 * Plans to undo the newest change made from a terminal, like the console's `u`.
 *
 * @throws CommandError if no change is left, or if the newest change can't be undone.
 */
export async function planUndo({ registry, context, history, complete }: UndoTerminal): Promise<TerminalUndo> {
  const candidate = history.newest();
  if (!candidate) throw new CommandError(message('running:history.nothingToUndo'));
  const { run: completedRun } = candidate.entry;
  const inverse = completedRun.inverse && (await mapSequentially(completedRun.inverse, complete));
  const entry: Entry = { ...candidate.entry, run: { ...completedRun, inverse } };
  const preparedUndo = await prepareUndo({ entry, skippedLater: candidate.skippedLater }, registry, context);
  return {
    preparedUndo,
    ...(changesNothing(preparedUndo.plan) ? { revertedEntry: entry } : {}),
    removeChange: () => history.storeRemaining(candidate, []),
    async run() {
      try {
        const { outcome, remaining } = await runUndo(preparedUndo, registry, runContext(context, true));
        history.storeRemaining(candidate, remaining);
        return outcome;
      } catch (error) {
        if (!(error instanceof UndoError)) throw error;
        history.storeRemaining(candidate, error.undone.remaining);
        throw error.cause;
      }
    },
  };
}

/** Returns the message for a change that was already reverted. */
export function revertedMessage(entry: Entry, registry: Registry) {
  return message('running:undo.nothing', { title: titleOf(entry, registry) });
}

async function mapSequentially<T>(items: readonly T[], transform: (item: T) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (const item of items) results.push(await transform(item));
  return results;
}
