import type { Command } from '#commands/model/command.ts';
import type { RunContext } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import { isBehind, markLeft, markUndone, newestChange } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message } from '#commands/text/message.ts';
import { changesNothing } from '#commands/model/plan.ts';
import type { Outcome } from '#commands/model/result.ts';
import type { Prepared } from '#commands/run/run.ts';
import { prepareUndo, runUndo, titleOf, UndoFailed, type PreparedUndo } from '#commands/run/undo.ts';
import { registry } from '#commands/nouns/all.ts';

import { changedByUs } from '#src/data/changes.ts';
import { translate, withTexts } from '#src/i18n/i18n.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { historyAtom, runningAtom } from '#src/state/work.ts';
import { contextNow } from './context.ts';
import { execute } from './runner.ts';
import { tracked } from './tracked.ts';

/**
 * `u`: takes back the newest command of this organization that changed something. The plan is shown first where it
 * deletes or where something changed since. @throws CommandError when it cannot be undone
 */
export async function undo(): Promise<void> {
  const busy = store.get(runningAtom).findLast(({ writes }) => writes);
  // What is still running is not in the history yet: undo would take back something older.
  if (busy) throw new CommandError(message('core:history.busy', { title: busy.title }));
  const history = store.get(historyAtom);
  const entry = newestChange(history, contextNow().organization.id);
  if (!entry) throw new CommandError(message('core:history.nothingToUndo'));
  const title = titleOf(entry, registry);
  const running = { title: message('core:undo.running', { title }), writes: true };
  const ready = await tracked(running, (context) =>
    prepareUndo({ entry, behind: isBehind(history, entry) }, registry, context),
  );
  if (changesNothing(ready.plan)) {
    store.set(historyAtom, (history) => markUndone(history, entry));
    return withTexts(() => void toasts.push({ title: translate(message('core:undo.nothing', { title })) }));
  }
  const prepared = preparedOf(ready);
  if (ready.confirm) store.set(paletteAtom, { open: true, start: { invocation: UNDO }, prepared });
  else await execute(prepared);
}

const UNDO: Invocation = { id: 'app.undo', args: {} };

/** The undo as something that was planned, so that it is shown and run like everything else. */
function preparedOf(ready: PreparedUndo): Prepared {
  const of = registry.command(UNDO.id);
  if (!of) throw new Error(`there is no command ${UNDO.id}`);
  const command: Command = { ...of, effect: 'write', run: (context) => takeBack(ready, context) };
  return { command, given: {}, resolved: {}, plan: ready.plan, confirm: ready.confirm, undoes: ready.entry };
}

/** Runs it, and keeps what is left of it in the history, so that the next undo goes on there. */
async function takeBack(ready: PreparedUndo, context: RunContext): Promise<Outcome> {
  const keep = (left: readonly Invocation[]): void =>
    store.set(historyAtom, (history) => markLeft(history, ready.entry, left));
  try {
    const { outcome, left } = await runUndo(ready, registry, context);
    keep(left);
    return outcome;
  } catch (error) {
    if (!(error instanceof UndoFailed)) throw error;
    keep(error.undone.left);
    changedByUs(context.organization.id, error.undone.outcome.changed ?? []);
    throw error.cause;
  }
}
