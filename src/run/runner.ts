import { fitsSelection } from '#commands/run/availability.ts';
import type { Command } from '#commands/model/command.ts';
import { CommandError } from '#commands/model/errors.ts';
import { lastInvocation } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message } from '#commands/text/message.ts';
import type { Done } from '#commands/run/done.ts';
import { prepare, repeatOf, restOf, retryOf, run, type Prepared } from '#commands/run/run.ts';
import { titleFor } from '#commands/run/title.ts';
import { titleOf } from '#commands/run/undo.ts';
import { registry } from '#commands/nouns/all.ts';

import { intentOf } from './draft.ts';
import { isLayerAway } from '#src/keymap/layer.ts';
import { expectLayer, holdKeys } from '#src/state/arrival.ts';
import { formAtom, paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { cancelledAtom, historyAtom, reportAtom, runningAtom } from '#src/state/work.ts';
import { contextNow } from './context.ts';
import { say, settle } from './settle.ts';
import { tracked } from './tracked.ts';

/**
 * Runs an invocation as a key, a button or the palette asks for it: what is missing is asked for in the palette, what
 * needs a look shows its plan there, an editor of many fields is a form, the rest runs at once. Errors are said once,
 * as a toast.
 */
export async function invoke(invocation: Invocation): Promise<void> {
  try {
    const of = commandOf(invocation.id);
    const context = contextNow();
    const { surface, args } = intentOf(of, invocation.args, context);
    if (surface === 'form') {
      store.set(formAtom, { id: of.id, args });
    } else if (surface === 'palette') {
      store.set(paletteAtom, { open: true, start: { invocation: { id: of.id, args } } });
    } else {
      const prepared = await prepare(of, args, context);
      if (prepared.confirm)
        store.set(paletteAtom, { open: true, start: { invocation: { id: of.id, args } }, prepared });
      else await execute(prepared);
    }
  } catch (error) {
    say(error);
  }
}

/**
 * Runs what was planned. Resolves to what was done, or undefined when it failed as a whole (which has then been
 * said).
 */
export async function execute(prepared: Prepared): Promise<Done | undefined> {
  const { command, undoes, plan } = prepared;
  const keys = command.asks?.(contextNow()) ? holdKeys() : undefined;
  const writes = command.effect === 'write' || command.effect === 'destructive';
  try {
    const title = undoes
      ? message('core:undo.running', { title: titleOf(undoes, registry) })
      : (plan?.summary ?? titleFor(command, prepared.given, contextNow()));
    const done =
      command.effect === 'navigate'
        ? await run(prepared, contextNow())
        : await tracked({ title, writes }, (context) => run(prepared, context));
    settle(done, prepared, invoke);
    return done;
  } catch (error) {
    say(error);
    return undefined;
  } finally {
    if (store.get(paletteAtom).open) {
      if (keys && isLayerAway()) expectLayer();
      keys?.release();
    } else keys?.drop();
  }
}

/** The last command of this organization. */
export function last(): Invocation | undefined {
  return lastInvocation(store.get(historyAtom), contextNow().organization.id);
}

/**
 * `.`: the last command again, on the target of the screen. Its plan was looked at the first time, and `u` takes it
 * back: it runs at once, on any number of items. Its plan is shown first where its target is out of view, and while
 * acting for another organization.
 */
export async function repeat(): Promise<void> {
  const again = last();
  if (!again) throw new CommandError(message('core:history.nothingToRepeat'));
  const of = commandOf(again.id);
  const context = contextNow();
  const repeated = repeatOf(of, again, context);
  const isComplete = intentOf(of, repeated.args, context).surface === 'none';
  const atOnce = isComplete && fitsSelection(of, context) && !context.organization.impersonating;
  return atOnce ? runAgain(repeated) : invoke(repeated);
}

/** Plans what was run before, and runs it. The plan is shown again only where there is no way back. */
async function runAgain(invocation: Invocation): Promise<void> {
  const of = commandOf(invocation.id);
  const prepared = await tracked({ title: titleFor(of, invocation.args, contextNow()), writes: true }, (context) =>
    prepare(of, invocation.args, context),
  );
  if (prepared.confirm && !prepared.plan?.reversible)
    store.set(paletteAtom, { open: true, start: { invocation }, prepared });
  else await execute(prepared);
}

/** Runs the last run's failures again, and only those; of an undo what it did not take back. */
export async function retry(): Promise<void> {
  const done = store.get(reportAtom);
  const of = done && commandOf(done.invocation.id);
  const again = done && of && (retryOf(of, done) ?? (of.id === UNDO.id ? UNDO : undefined));
  if (!again) throw new CommandError(message('core:history.nothingToRetry'));
  await invoke(again);
}

const UNDO: Invocation = { id: 'app.undo', args: {} };

/**
 * Goes on with what a cancelled run did not try. It was looked at when it began, so it is only shown again where
 * there is no way back.
 */
export async function goOn(): Promise<void> {
  const done = store.get(cancelledAtom);
  const of = done && commandOf(done.invocation.id);
  const rest = done && of && (restOf(of, done) ?? (of.id === UNDO.id ? UNDO : undefined));
  if (!rest || done.organization !== contextNow().organization.id) {
    throw new CommandError(message('core:history.nothingToContinue'));
  }
  return rest === UNDO ? invoke(rest) : runAgain(rest);
}

export function cancelNewest(): void {
  store.get(runningAtom).at(-1)?.cancel();
}

function commandOf(id: string): Command {
  const found = registry.command(id);
  if (!found) throw new CommandError(message('core:line.unknownCommand', { command: id }));
  return found;
}
