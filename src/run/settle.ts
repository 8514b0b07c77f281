import { targetParam } from '#commands/model/command.ts';
import { failureOf, isAbort } from '#commands/model/errors.ts';
import { remember } from '#commands/run/history.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { message, type Message } from '#commands/text/message.ts';
import { failed, skipped } from '#commands/model/result.ts';
import type { Done } from '#commands/run/done.ts';
import type { Prepared } from '#commands/run/run.ts';
import { registry } from '#commands/nouns/all.ts';

import { changedByUs } from '#src/data/changes.ts';
import { report } from '#src/net/report.ts';
import { translate, withTexts } from '#src/i18n/i18n.ts';
import { keysOf } from '#src/keymap/bindings.ts';
import { formatKeys } from '#src/keymap/format.ts';
import { tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { cancelledAtom, historyAtom, reportAtom, revealAtom } from '#src/state/work.ts';
import type { Toast } from '#src/ui/overlays/toast-store.ts';
import { followCode, followRefusal } from './refused.ts';

type Start = (invocation: Invocation) => unknown;

/**
 * Refreshes what changed, says what happened, and remembers a write for undo and repeat; what only moves says nothing.
 * `start` runs what a toast offers.
 */
export function settle(done: Done, { command: { effect }, undoes }: Prepared, start: Start): void {
  const { outcome } = done;
  changedByUs(done.organization, outcome.changed ?? []);
  if (outcome.reveal) store.set(revealAtom, outcome.reveal);
  if (effect === 'navigate') return;
  if (effect !== 'read' && !undoes) store.set(historyAtom, (history) => remember(history, done));
  const failures = failed(outcome);
  store.set(reportAtom, failures.length > 0 ? done : undefined);
  if (failures.length > 0) selectFailures(done);
  followCode(failures.find(({ failure }) => failure?.code === 'permission_denied')?.failure?.code);
  const rest = skipped(outcome).length;
  if (effect !== 'read') store.set(cancelledAtom, rest > 0 ? done : undefined);
  const { message: text } = outcome;
  if (!text) return;
  withTexts(() => {
    const action = actionOf(done, rest, start);
    toasts.push({
      title: translate(text),
      tone: failures.length > 0 ? 'error' : 'neutral',
      ...(rest > 0 ? { detail: translate(message('console:toast.skipped', { count: rest })) } : {}),
      ...(action ? { action } : {}),
    });
  });
}

/** What can still be done about it: go on where it was cancelled, else undo it. */
function actionOf(done: Done, rest: number, start: Start): Toast['action'] {
  if (rest > 0) return offer('app.continue', message('console:toast.continue', { count: rest }), start);
  return done.inverse ? offer('app.undo', message('console:toast.undo'), start) : undefined;
}

function offer(id: string, label: Message, start: Start): NonNullable<Toast['action']> {
  const of = registry.command(id);
  const [keys] = of ? keysOf(of) : [];
  return {
    label: translate(label),
    ...(keys ? { keys: formatKeys(keys) } : {}),
    run: () => void start({ id, args: {} }),
  };
}

/** What failed becomes the selection, where its table is on the screen. */
function selectFailures({ invocation, outcome }: Done): void {
  const table = store.get(tableHostAtom);
  const of = registry.command(invocation.id);
  if (!of || table?.entity() !== targetParam(of)?.entity.name) return;
  table?.select({ ids: failed(outcome).map(({ id }) => id) });
}

/** Says an error once, where nothing else shows it. A cancelled run says so without being an error. */
export function say(error: unknown): void {
  report(error);
  followRefusal(error);
  withTexts(() =>
    toasts.push({ title: translate(failureOf(error).message), tone: isAbort(error) ? 'neutral' : 'error' }),
  );
}
