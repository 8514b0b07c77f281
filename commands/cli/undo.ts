import { runContext, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Entry } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message } from '#commands/text/message.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Registry } from '#commands/registry/registry.ts';
import type { Outcome } from '#commands/model/result.ts';
import { prepareUndo, runUndo, titleOf, UndoFailed } from '#commands/run/undo.ts';
import type { TerminalHistory } from './history.ts';

/** What undo needs of the terminal it runs in. */
export interface UndoTerminal {
  readonly registry: Registry;
  readonly context: Context;
  readonly history: TerminalHistory;
  /** Asks for what an inverse cannot hold: secrets. */
  complete(invocation: Invocation): Promise<Invocation>;
}

/** `quarterdeck undo`, looked up and planned. */
export interface TerminalUndo {
  readonly prepared: Awaited<ReturnType<typeof prepareUndo>>;
  /** Set where nothing is left to undo, as it was changed back already. */
  readonly nothing?: Entry;
  /** Forgets a change of which nothing is left. */
  forget(): void;
  run(): Promise<Outcome>;
}

/**
 * The newest change from a terminal, as the console's `u` would take it back.
 * @throws CommandError where there is none, or no way back.
 */
export async function planUndo({ registry, context, history, complete }: UndoTerminal): Promise<TerminalUndo> {
  const found = history.newest();
  if (!found) throw new CommandError(message('core:history.nothingToUndo'));
  const { done } = found.entry;
  const inverse = done.inverse && (await inOrder(done.inverse, complete));
  const entry: Entry = { ...found.entry, done: { ...done, inverse } };
  const prepared = await prepareUndo({ entry, behind: found.behind }, registry, context);
  return {
    prepared,
    ...(changesNothing(prepared.plan) ? { nothing: entry } : {}),
    forget: () => history.keepLeft(found, []),
    async run() {
      try {
        const { outcome, left } = await runUndo(prepared, registry, runContext(context, true));
        history.keepLeft(found, left);
        return outcome;
      } catch (error) {
        if (!(error instanceof UndoFailed)) throw error;
        history.keepLeft(found, error.undone.left);
        throw error.cause;
      }
    },
  };
}

/** The sentence for a change that is as it was already. */
export function nothingLeft(entry: Entry, registry: Registry) {
  return message('core:undo.nothing', { title: titleOf(entry, registry) });
}

async function inOrder<T>(items: readonly T[], pick: (item: T) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (const item of items) done.push(await pick(item));
  return done;
}
