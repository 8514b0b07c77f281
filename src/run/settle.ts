import { targetParam } from '#commands/model/command.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import { failedResults, skippedResults } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { addRun } from '#commands/run/history.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { MAX_FAILURE_PERCENT } from '#commands/run/stages.ts';
import { message, type Message } from '#commands/text/message.ts';
import { announceOwnChange } from '#src/data/changes.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { directory } from '#src/registry/registry.ts';
import { panelHostAtom, tableHostAtom } from '#src/state/focus.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import {
  canceledRunAtom,
  failedRunAtom,
  historyAtom,
  interruptedRunAtom,
  lastResultsAtom,
  reportAtom,
  revealAtom,
} from '#src/state/work.ts';
import type { Toast } from '#src/ui/overlays/toast-store.ts';

import { commandAction } from './command-action.ts';
import { refreshIfDenied } from './denials.ts';

type StartCommand = (invocation: Invocation) => unknown;

/**
 * Finishes a run. Refreshes what changed, keeps renamed items in the panel, shows the result, and records a write for
 * undo and repeat. A command that navigates has no result to show. `start` runs the command that the toast offers.
 */
export function settle(
  completedRun: CompletedRun,
  { command: { effect }, undoes, continues }: PreparedRun,
  start: StartCommand,
): void {
  const { outcome } = completedRun;
  announceOwnChange(completedRun.organization, outcome.changed ?? []);
  if (outcome.reveal) store.set(revealAtom, outcome.reveal);
  for (const { id, renamedTo } of outcome.results ?? []) {
    if (renamedTo) store.get(panelHostAtom)?.rename(renamedTo.entity, id, renamedTo.id);
  }
  if (effect === 'navigate') return;
  if (effect !== 'read' && !undoes) store.set(historyAtom, (history) => addRun(history, completedRun));
  if (effect !== 'read') toasts.removeOutdatedActions();
  const failures = failedResults(outcome);
  const failedRun = failures.length > 0 ? completedRun : undefined;
  // The report stays open while its results are saved.
  if (effect !== 'read' || failedRun) store.set(reportAtom, failedRun);
  if (effect !== 'read' || failedRun) store.set(failedRunAtom, failedRun);
  if (failures.length > 0) selectFailures(completedRun);
  refreshIfDenied(failures.find(({ failure }) => failure?.code === 'permission_denied')?.failure?.code);
  if (effect !== 'read' && !undoes && (outcome.results?.length ?? 0) > 1) store.set(lastResultsAtom, completedRun);
  const skippedCount = skippedResults(outcome).length;
  if (effect !== 'read') store.set(canceledRunAtom, skippedCount > 0 ? completedRun : undefined);
  // What this run left untried can be continued like any canceled run.
  if (continues !== undefined && store.get(interruptedRunAtom)?.recordId === continues)
    store.set(interruptedRunAtom, undefined);
  const { message: resultMessage } = outcome;
  if (!resultMessage) return;
  withStrings(() => {
    const action = followUpAction(completedRun, skippedCount, start);
    toasts.push({
      title: translate(resultMessage),
      tone: failures.length > 0 ? 'error' : 'neutral',
      ...(skippedCount > 0 ? { detail: translate(skippedMessage(completedRun, skippedCount)) } : {}),
      ...(action ? { action } : {}),
    });
  });
}

/** Says how many items weren't tried, and why. */
function skippedMessage({ stopped = false }: CompletedRun, count: number): Message {
  if (!stopped) return message('console:toast.skipped', { count });
  return message('console:toast.stopped', { count, percent: MAX_FAILURE_PERCENT });
}

/** Returns the follow-up action that the toast offers: continue after a cancellation, or else undo. */
function followUpAction(completedRun: CompletedRun, skippedCount: number, start: StartCommand): Toast['action'] {
  if (skippedCount > 0)
    return lastChangeAction('app.continue', message('console:toast.continue', { count: skippedCount }), start);
  return completedRun.inverse ? lastChangeAction('app.undo', message('console:toast.undo'), start) : undefined;
}

function lastChangeAction(id: string, label: Message, start: StartCommand): NonNullable<Toast['action']> {
  return { ...commandAction(id, label, () => void start({ id, args: {} })), untilNextChange: true };
}

/** Selects the failed items, if their table is visible. */
function selectFailures({ invocation, outcome }: CompletedRun): void {
  const table = store.get(tableHostAtom);
  const command = directory().command(invocation.id);
  if (!command || table?.entityName() !== targetParam(command)?.entity.name) return;
  table?.select({ ids: failedResults(outcome).map(({ id }) => id) });
}
