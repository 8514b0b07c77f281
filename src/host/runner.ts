import type { Context, Progress } from '#commands/core/context';
import { targetParam, texts, type Effect } from '#commands/core/command';
import { CommandError, failureOf, isAbort } from '#commands/core/errors';
import { lastInvocation, markUndone, remember, undoable } from '#commands/core/history';
import type { Invocation } from '#commands/core/invocation';
import { message, type Message } from '#commands/core/message';
import { missingParams } from '#commands/core/resolve';
import { failed } from '#commands/core/result';
import { prepare, repeatOf, retryOf, run, type Done, type Prepared } from '#commands/core/run';
import { registry } from '#commands/all';

import { changed } from '../data/changes.ts';
import { report } from '../data/report.ts';
import { needsForm, startFill } from '../palette/fill.ts';
import { tableHostAtom } from '../state/focus.ts';
import { formAtom, paletteAtom } from '../state/layers.ts';
import { store } from '../state/store.ts';
import { toasts } from '../state/toasts.ts';
import { historyAtom, reportAtom, revealAtom, runningAtom } from '../state/work.ts';
import { translate, withTexts } from '../i18n.ts';
import { contextNow } from './context.ts';

let runs = 0;

/**
 * Runs an invocation as a key, a button or the palette asks for it: what is missing is asked for in the palette, what needs a look shows
 * its plan there, an editor of many fields is a form, the rest runs at once. Errors are said once, as a toast.
 */
export async function invoke(invocation: Invocation): Promise<void> {
  try {
    const of = commandOf(invocation.id);
    const context = contextNow();
    const { args } = startFill(of, invocation.args, context);
    if (needsForm(of, args)) {
      store.set(formAtom, { id: of.id, args });
    } else if (missingParams(of, args).length > 0) {
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

/** Runs what was planned. Resolves to what was done, or undefined when it failed as a whole (which has then been said). */
export async function execute(prepared: Prepared): Promise<Done | undefined> {
  const { command } = prepared;
  try {
    const done =
      command.effect === 'navigate'
        ? await run(prepared, contextNow())
        : await tracked(texts.title(command), (context) => run(prepared, context));
    settle(done, command.effect);
    return done;
  } catch (error) {
    say(error);
    return undefined;
  }
}

/** Shows work in the status line while it runs, with its progress and a way to cancel it. */
async function tracked<T>(title: Message, work: (context: Context) => Promise<T>): Promise<T> {
  const id = ++runs;
  const controller = new AbortController();
  const cancel = (): void => controller.abort();
  store.set(runningAtom, (all) => [...all, { id, title, progress: undefined, cancel }]);
  const progress = (now: Progress): void =>
    store.set(runningAtom, (all) => all.map((each) => (each.id === id ? { ...each, progress: now } : each)));
  try {
    return await work(contextNow({ signal: controller.signal, progress }));
  } finally {
    store.set(runningAtom, (all) => all.filter((each) => each.id !== id));
  }
}

/** Writes are remembered, for undo and repeat; what only moves says nothing. */
function settle(done: Done, effect: Effect): void {
  const { outcome } = done;
  changed(done.organization, outcome.changed ?? []);
  if (outcome.reveal) store.set(revealAtom, outcome.reveal);
  if (effect === 'navigate') return;
  if (effect !== 'read') store.set(historyAtom, (history) => remember(history, done));
  const failures = failed(outcome);
  store.set(reportAtom, failures.length > 0 ? done : undefined);
  if (failures.length > 0) selectFailures(done);
  const skipped = (outcome.results ?? []).filter((result) => result.skipped).length;
  const { said } = outcome;
  if (!said) return;
  withTexts(() =>
    toasts.push({
      title: translate(said),
      tone: failures.length > 0 ? 'error' : 'neutral',
      ...(skipped > 0 ? { detail: translate(message('console:toast.skipped', { count: skipped })) } : {}),
      ...(done.inverse
        ? {
            action: {
              label: translate(message('console:toast.undo')),
              keys: 'u',
              run: () => void invoke({ id: 'app.undo', args: {} }),
            },
          }
        : {}),
    }),
  );
}

/** What failed becomes the selection, where its table is on the screen. */
function selectFailures({ invocation, outcome }: Done): void {
  const table = store.get(tableHostAtom);
  if (table?.entity() !== targetParam(commandOf(invocation.id))?.entity.name) return;
  table?.select({ ids: failed(outcome).map(({ id }) => id) });
}

/** `u`: takes back the newest command of this organization that can be taken back. */
export async function undo(): Promise<void> {
  const { organization } = contextNow();
  const entry = undoable(store.get(historyAtom), organization.id);
  const inverse = entry?.done.inverse;
  if (!entry || !inverse) throw new CommandError(message('core:history.nothingToUndo'));
  const title = texts.title(commandOf(entry.done.invocation.id));
  await tracked(title, async (context) => {
    for (const invocation of inverse) {
      const { outcome } = await run(await prepare(commandOf(invocation.id), invocation.args, context), context);
      changed(organization.id, outcome.changed ?? []);
      const [first] = failed(outcome);
      if (first?.failure) throw new CommandError(first.failure.message);
    }
  });
  store.set(historyAtom, (history) => markUndone(history, entry));
  withTexts(() => toasts.push({ title: translate(message('core:history.undone', { title })) }));
}

/** The last command of this organization. */
export function last(): Invocation | undefined {
  return lastInvocation(store.get(historyAtom), contextNow().organization.id);
}

/** `.`: the last command again, on what is selected now. */
export async function repeat(): Promise<void> {
  const again = last();
  if (!again) throw new CommandError(message('core:history.nothingToRepeat'));
  await invoke(repeatOf(commandOf(again.id), again, contextNow()));
}

/** Runs the last run's failures again, and only those. */
export async function retry(): Promise<void> {
  const done = store.get(reportAtom);
  const again = done && retryOf(commandOf(done.invocation.id), done);
  if (!again) throw new CommandError(message('core:history.nothingToRetry'));
  await invoke(again);
}

export function cancelNewest(): void {
  store.get(runningAtom).at(-1)?.cancel();
}

/** Says an error once, where nothing else shows it. A cancelled run says so without being an error. */
export function say(error: unknown): void {
  report(error);
  withTexts(() =>
    toasts.push({ title: translate(failureOf(error).message), tone: isAbort(error) ? 'neutral' : 'error' }),
  );
}

function commandOf(id: string) {
  const found = registry.command(id);
  if (!found) throw new CommandError(message('core:line.unknownCommand', { command: id }));
  return found;
}
