import { changesView, targetParam, type Command } from '#commands/model/command.ts';
import { requireCapability, type Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { canTargetSelection } from '#commands/run/availability.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import {
  prepare,
  repeatInvocation,
  resumeInvocation,
  retryInvocation,
  run,
  type PreparedRun,
} from '#commands/run/run.ts';
import { isLong } from '#commands/run/stages.ts';
import { titleFor } from '#commands/run/title.ts';
import { titleOf } from '#commands/run/undo.ts';
import { message, type Message } from '#commands/text/message.ts';
import { isLayerLoading } from '#src/keymap/layer.ts';
import { directory, loadCommands, registry } from '#src/registry/registry.ts';
import { tableHostAtom } from '#src/state/focus.ts';
import { discardTyping, expectLayer, holdKeys, waitForView } from '#src/state/key-queue.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import {
  canceledRunAtom,
  failedRunAtom,
  interruptedRunAtom,
  reportAtom,
  runningCommandsAtom,
} from '#src/state/work.ts';

import { contextNow } from './context.ts';
import { createIntent } from './draft.ts';
import { startJournal, type Journal } from './journal/journal.ts';
import { lastRun } from './last-run.ts';
import { planLaterChanges } from './later-changes.ts';
import { settle } from './settle.ts';
import { showError } from './show-error.ts';
import { track } from './track.ts';

// Runs commands whose nouns have loaded. Everything else calls `invoke.ts`, which loads this module and the noun first.

/**
 * Starts an invocation. Prompts for missing arguments in the palette, shows the plan there if it needs confirmation,
 * opens an editor of many fields as a form, and otherwise runs it immediately. Shows an error as a toast.
 */
export async function start(invocation: Invocation): Promise<void> {
  try {
    const command = requireCommand(invocation.id);
    const context = contextNow();
    const { surface, args } = createIntent(command, invocation.args, context);
    if (surface === 'form') {
      store.set(formAtom, { id: command.id, args });
    } else if (surface === 'palette') {
      store.set(paletteAtom, { open: true, start: { invocation: { id: command.id, args } } });
    } else {
      const completion = prepareAndExecute(command, args, context);
      await (changesView(command) ? waitForView(completion) : completion);
    }
  } catch (error) {
    showError(error);
  }
}

async function prepareAndExecute(command: Command, args: Invocation['args'], context: Context): Promise<void> {
  const preparedRun = await prepareVisibly(command, args, context);
  if (preparedRun.confirm)
    store.set(paletteAtom, { open: true, start: { invocation: { id: command.id, args } }, preparedRun });
  else await execute(preparedRun);
}

const PLANNING_DELAY_MS = 300;

/** Prepares a command. Shows in the status line that it is being planned, which takes a while for many items. */
async function prepareVisibly(command: Command, args: Invocation['args'], context: Context): Promise<PreparedRun> {
  if (!changesData(command)) return prepare(command, args, context);
  const title = message('running:palette.planningOf', { title: titleFor(command, args, context) });
  const work = { title, writes: false, delayMs: PLANNING_DELAY_MS };
  return track(work, (trackedContext) => prepare(command, args, trackedContext));
}

const changesData = ({ effect }: Command): boolean => effect === 'write' || effect === 'destructive';

/** Runs a prepared command. If the run fails as a whole, shows the error and resolves to undefined. */
export async function execute(preparedRun: PreparedRun): Promise<CompletedRun | undefined> {
  const { command, undoes, plan } = preparedRun;
  const keys = command.mayPrompt?.(contextNow()) ? holdKeys() : undefined;
  const writes = changesData(command);
  if (writes) store.get(tableHostAtom)?.pinActiveRow();
  let journal: Journal | undefined;
  try {
    const title = undoes
      ? message('running:undo.running', { title: titleOf(undoes.entry, directory()) })
      : (plan?.summary ?? titleFor(command, preparedRun.args, contextNow()));
    const completedRun =
      command.effect === 'navigate'
        ? await run(preparedRun, contextNow())
        : await track({ title, writes }, async (context, monitor) => {
            const isFollowed = plan && (plan.staged || (undoes && isLong(plan)));
            journal = isFollowed ? await startJournal(preparedRun) : undefined;
            return run(preparedRun, context, { ...journal, ...monitor });
          });
    settle(completedRun, preparedRun, start);
    return completedRun;
  } catch (error) {
    showError(error);
    return undefined;
  } finally {
    // The history has the run now.
    if (journal) await journal.close();
    if (store.get(paletteAtom).open) {
      if (keys && isLayerLoading()) expectLayer();
      keys?.release();
    } else if (keys) {
      keys.drop();
      discardTyping();
    }
  }
}

/**
 * Runs a plan that the user confirmed. If someone has changed a value that it replaces, shows the new plan instead.
 */
export async function executeConfirmed(preparedRun: PreparedRun): Promise<void> {
  const { command, args, confirm } = preparedRun;
  try {
    const newRun = confirm ? await planLaterChanges(preparedRun, contextNow()) : undefined;
    if (!newRun) return void (await execute(preparedRun));
    store.set(paletteAtom, { open: true, start: { invocation: { id: command.id, args } }, preparedRun: newRun });
  } catch (error) {
    showError(error);
  }
}

/**
 * Runs the last command again on the current target. The plan was confirmed the first time, and `u` can undo the run,
 * so it runs immediately on any number of items. Shows the plan first if the target is not visible, or if the user is
 * away from their home organization.
 */
export async function repeat(): Promise<void> {
  const previous = lastRun();
  if (!previous) throw new CommandError(message('running:history.nothingToRepeat'));
  // After a reload, the command's noun may not have loaded yet.
  await loadCommands([previous.id]);
  const command = requireCommand(previous.id);
  const context = contextNow();
  const repetition = repeatInvocation(command, previous, context);
  const isComplete = createIntent(command, repetition.args, context).surface === 'none';
  if (!isComplete || !targetParam(command)) return start(repetition);
  const canRunImmediately = canTargetSelection(command, context) && !context.organization.awayFromHome;
  return runAgain(repetition, { showPlan: !canRunImmediately });
}

/** Plans and runs an earlier invocation again. Shows the plan only if it is irreversible or `showPlan` is set. */
async function runAgain(
  invocation: Invocation,
  { showPlan = false, continues }: { readonly showPlan?: boolean; readonly continues?: string | undefined } = {},
): Promise<void> {
  const command = requireCommand(invocation.id);
  const newRun = await track(
    {
      title: message('running:palette.planningOf', { title: titleFor(command, invocation.args, contextNow()) }),
      writes: true,
    },
    (context) => prepare(command, invocation.args, context),
  );
  const preparedRun = continues === undefined ? newRun : { ...newRun, continues };
  if (showPlan || (preparedRun.confirm && !preparedRun.plan?.reversible))
    store.set(paletteAtom, { open: true, start: { invocation }, preparedRun });
  else await execute(preparedRun);
}

/** Runs the last command again, but only for the failed items. After an undo, runs the remaining steps of the undo. */
export async function retry(): Promise<void> {
  const failedRun = store.get(failedRunAtom);
  const invocation = createRemainder(failedRun, retryInvocation);
  if (!invocation) throw new CommandError(describeUnfinished() ?? message('running:history.nothingToRetry'));
  store.set(reportAtom, undefined);
  await (invocation === UNDO ? continueUndo(failedRun) : start(invocation));
}

/**
 * Continues a paused run, or else a canceled or an interrupted one with the items it did not reach. The plan was
 * confirmed at the start, so it is shown again only if it cannot be undone.
 */
export async function continueRun(): Promise<void> {
  const pausedTask = store.get(runningCommandsAtom).findLast(({ isPaused }) => isPaused);
  if (pausedTask) return pausedTask.resume();
  for (const run of [store.get(canceledRunAtom), store.get(interruptedRunAtom)]) {
    const invocation = createRemainder(run, resumeInvocation);
    if (!invocation) continue;
    // It may be the one that continues this run already.
    const runningTitle = run?.interrupted ? describeUnfinished() : undefined;
    if (runningTitle) throw new CommandError(runningTitle);
    store.set(reportAtom, undefined);
    return invocation === UNDO ? continueUndo(run) : runAgain(invocation, { continues: run?.recordId });
  }
  throw new CommandError(describeUnfinished() ?? message('running:history.nothingToContinue'));
}

/**
 * Pauses the newest run that makes several calls, before the next one.
 *
 * @throws CommandError if there is none
 */
export function pauseRun(): void {
  const task = store.get(runningCommandsAtom).findLast((running) => running.canPause);
  if (!task) throw new CommandError(message('running:history.nothingToPause'));
  task.pause();
}

/** Returns a message if a run is unfinished, because it may still leave items to retry or continue with. */
function describeUnfinished(): Message | undefined {
  const runningCommand = store.get(runningCommandsAtom).findLast(({ writes }) => writes);
  return runningCommand && message('running:history.unfinished', { title: runningCommand.title });
}

const UNDO: Invocation = { id: 'app.undo', args: {} };

/** Undoes what is left of a change. After an interruption, a later change can be newer than that one. */
const continueUndo = (undo: CompletedRun | undefined): Promise<void> =>
  requireCapability(contextNow(), 'history').undo(undo?.recordId);

/**
 * Returns the invocation for the items that an earlier run in this organization did not complete. After an undo,
 * returns the invocation that undoes the remaining steps.
 */
function createRemainder(
  completedRun: CompletedRun | undefined,
  getRemainder: (command: Command, completedRun: CompletedRun) => Invocation | undefined,
): Invocation | undefined {
  if (!completedRun || completedRun.organization !== contextNow().organization.id) return undefined;
  const { id } = completedRun.invocation;
  return getRemainder(requireCommand(id), completedRun) ?? (id === UNDO.id ? UNDO : undefined);
}

function requireCommand(id: string): Command {
  const command = registry().command(id);
  if (!command) throw new CommandError(message('running:line.unknownCommand', { command: id }));
  return command;
}
