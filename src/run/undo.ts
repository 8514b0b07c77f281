import type { Command } from '#commands/model/command.ts';
import type { RunContext } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import {
  findUndoing,
  hasSkippedLater,
  markRemaining,
  markUndone,
  newestChange,
  type Entry,
} from '#commands/run/history.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { runUndo, UndoError } from '#commands/run/undo-run.ts';
import { prepareUndo, titleOf, type PreparedUndo } from '#commands/run/undo.ts';
import { message } from '#commands/text/message.ts';
import { announceOwnChange } from '#src/data/changes.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { directory, loadCommands, registry } from '#src/registry/registry.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { historyAtom, runningCommandsAtom } from '#src/state/work.ts';

import { contextNow } from './context.ts';
import { whenOffered } from './journal/interrupted.ts';
import { execute } from './runner.ts';
import { track } from './track.ts';

/**
 * Undoes the newest command in this organization that changed something. Shows the plan first if the undo deletes
 * items, or if something has changed since.
 *
 * @param recordId the id of the stored record of an interrupted undo, to continue it instead
 * @throws CommandError if the command cannot be undone
 */
export async function undo(recordId?: string): Promise<void> {
  // Right after a reload, the history doesn't know yet what an interrupted undo did.
  if (findEntry(recordId)?.undoRecords?.length) await whenOffered();
  const runningTask = store.get(runningCommandsAtom).findLast(({ writes }) => writes);
  // A running command is not in the history yet, so an undo would revert an older command.
  if (runningTask) throw new CommandError(message('running:history.busy', { title: runningTask.title }));
  const entry = findEntry(recordId);
  const history = store.get(historyAtom);
  if (!entry) throw new CommandError(message('running:history.nothingToUndo'));
  const title = titleOf(entry, directory());
  const work = { title: message('running:undo.running', { title }), writes: true };
  const preparedUndo = await track(work, async (context) => {
    // The inverse may use commands of another noun, and after a page reload no noun may have loaded yet.
    await loadCommands([entry.run.invocation, ...(entry.run.inverse ?? [])].map(({ id }) => id));
    return prepareUndo({ entry, skippedLater: hasSkippedLater(history, entry) }, registry(), context);
  });
  if (changesNothing(preparedUndo.plan)) {
    store.set(historyAtom, (history) => markUndone(history, entry));
    toasts.removeOutdatedActions();
    return withStrings(() => void toasts.push({ title: translate(message('running:undo.nothing', { title })) }));
  }
  const preparedRun = toPreparedRun(preparedUndo);
  if (preparedUndo.confirm) store.set(paletteAtom, { open: true, start: { invocation: UNDO }, preparedRun });
  else await execute(preparedRun);
}

function findEntry(recordId: string | undefined): Entry | undefined {
  const history = store.get(historyAtom);
  if (recordId === undefined) return newestChange(history, contextNow().organization.id);
  const entry = findUndoing(history, recordId);
  return entry?.undone ? undefined : entry;
}

const UNDO: Invocation = { id: 'app.undo', args: {} };

/** Wraps an undo as a prepared run, to show and run it like any other command. */
function toPreparedRun(preparedUndo: PreparedUndo): PreparedRun {
  const undoCommand = registry().command(UNDO.id);
  if (!undoCommand) throw new Error(`The command ${UNDO.id} is not registered.`);
  const continues = preparedUndo.entry.undoRecords?.at(-1);
  const command: Command = { ...undoCommand, effect: 'write', run: (context) => runAndRecord(preparedUndo, context) };
  return {
    command,
    args: {},
    resolved: {},
    plan: preparedUndo.plan,
    confirm: preparedUndo.confirm,
    undoes: preparedUndo,
    ...(continues === undefined ? {} : { continues }),
  };
}

/** Runs an undo and records the remaining steps in the history, where the next undo continues. */
async function runAndRecord(preparedUndo: PreparedUndo, context: RunContext): Promise<Outcome> {
  const recordRemaining = (remaining: readonly Invocation[]): void =>
    store.set(historyAtom, (history) => markRemaining(history, preparedUndo.entry, remaining));
  try {
    const { outcome, remaining } = await runUndo(preparedUndo, registry(), context);
    recordRemaining(remaining);
    return outcome;
  } catch (error) {
    if (!(error instanceof UndoError)) throw error;
    recordRemaining(error.undone.remaining);
    announceOwnChange(context.organization.id, error.undone.outcome.changed ?? []);
    throw error.cause;
  }
}
