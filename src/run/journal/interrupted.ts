import { failedResults, RESULT_KINDS, resultKind } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { addRun } from '#commands/run/history.ts';
import { toInterruptedRun } from '#commands/run/run-record.ts';
import { remainingResults } from '#commands/run/run.ts';
import { storableArgs } from '#commands/run/storable-args.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { loadCommands, registry } from '#src/registry/registry.ts';
import { commandAction } from '#src/run/command-action.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import { canceledRunAtom, failedRunAtom, historyAtom, lastResultsAtom } from '#src/state/work.ts';

import { claimRun } from './claim.ts';
import { canStoreRuns, runStore, type StoredRun } from './run-store.ts';

/** After this time, a run is no longer offered, because the fleet has changed too much. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Offers to continue the runs that the user started in the organization and that didn't end because their pages closed
 * or crashed: the newest one, and the others once it was continued, undone, or replaced by another change. Each page
 * offers a run that no other page has claimed, so it can only be continued once.
 *
 * @param start runs the command that the toast offers
 */
export function offerInterruptedRuns(start: (id: string) => unknown): void {
  if (!canStoreRuns()) return;
  let offeredTo: string | undefined;
  const offer = (): void => {
    const session = store.get(userSessionAtom);
    const key = session?.organization.id ? JSON.stringify([session.actor.id, session.organization.id]) : undefined;
    if (key === offeredTo) return;
    offeredTo = key;
    if (session && key !== undefined) offerTo(session.actor.id, session.organization.id, start).catch(report);
  };
  store.sub(userSessionAtom, offer);
  offer();
}

async function offerTo(person: string, organization: string, start: (id: string) => unknown): Promise<void> {
  for (const { id, startedAt, ...owner } of await runStore.list()) {
    if (Date.now() - startedAt > MAX_AGE_MS) await removeUnclaimed(id);
    else if (owner.person === person && owner.organization === organization) {
      const claim = await claimInterrupted(id);
      if (!claim) continue;
      const { organization: current } = store.get(userSessionAtom) ?? {};
      // The user switched to another organization meanwhile.
      if (current?.id !== organization) return claim.release();
      return show(claim.completedRun, claim.release, start, () =>
        whenNothingIsLeft(() => void offerTo(person, organization, start).catch(report)),
      );
    }
  }
}

/** Calls back once no run is left to continue, because only one can be offered at a time. */
function whenNothingIsLeft(callback: () => void): void {
  if (!store.get(canceledRunAtom)) return callback();
  const stop = store.sub(canceledRunAtom, () => {
    if (store.get(canceledRunAtom)) return;
    stop();
    callback();
  });
}

async function removeUnclaimed(id: string): Promise<void> {
  const release = await claimRun(id);
  if (!release) return;
  await runStore.remove(id);
  release();
}

/** Claims a run. Returns undefined if it is running, or if its completed part was undone. */
async function claimInterrupted(id: string) {
  const release = await claimRun(id);
  if (!release) return undefined;
  // It may have ended before it could be claimed.
  const storedRun = await runStore.get(id);
  const isUndone = store.get(historyAtom).entries.some(({ undone, run }) => undone && run.recordId === id);
  const completedRun = storedRun && !isUndone ? await restore(storedRun) : undefined;
  if (completedRun) return { completedRun, release };
  if (storedRun) await runStore.remove(id);
  release();
  return undefined;
}

/** Returns an interrupted run, or undefined if its command no longer exists. */
async function restore({ record, calls }: StoredRun): Promise<CompletedRun | undefined> {
  const { id, args } = record.invocation;
  await loadCommands([id]);
  const command = registry().command(id);
  if (!command) return undefined;
  // The history has no content of files.
  return { ...toInterruptedRun(record, calls), invocation: { id, args: storableArgs(command, args) }, fullArgs: args };
}

/** Records what was done, so it can be undone, and offers to continue with the rest. Then calls `offerNext`. */
function show(
  completedRun: CompletedRun,
  release: () => void,
  start: (id: string) => unknown,
  offerNext: () => void,
): void {
  const { recordId, outcome, summary } = completedRun;
  const isRecorded = store.get(historyAtom).entries.some(({ run }) => run.recordId === recordId);
  if (!isRecorded) store.set(historyAtom, (history) => addRun(history, completedRun));
  store.set(lastResultsAtom, completedRun);
  store.set(failedRunAtom, failedResults(outcome).length > 0 ? completedRun : undefined);
  store.set(canceledRunAtom, completedRun);
  let toast: number | undefined;
  forgetWhenReplaced(completedRun, () => {
    release();
    if (toast !== undefined) toasts.close(toast);
    offerNext();
  });
  const { length: remainingCount } = remainingResults(completedRun);
  const counts = groupBy(outcome.results ?? [], resultKind);
  withStrings(() => {
    toast = toasts.push({
      title: translate(message('running:interrupted.toast', { title: summary?.values?.['title'] ?? '' })),
      detail: RESULT_KINDS.toReversed()
        .flatMap((kind) => {
          const count = counts.get(kind)?.length ?? 0;
          return count > 0 ? [translate(message(`running:report.count.${kind}`, { count }))] : [];
        })
        .join(' · '),
      duration: Infinity,
      ...(remainingCount > 0
        ? {
            action: {
              ...commandAction(
                'app.continue',
                message('console:toast.continue', { count: remainingCount }),
                () => void start('app.continue'),
              ),
              untilNextChange: true,
            },
          }
        : {}),
    });
  });
}

/**
 * Forgets a run once it was continued or undone, or once another change makes it too old to continue. A change in
 * another organization only releases it, so it is offered again later.
 */
function forgetWhenReplaced({ recordId, organization }: CompletedRun, release: () => void): void {
  const stop = store.sub(canceledRunAtom, () => {
    if (store.get(canceledRunAtom)?.recordId === recordId) return;
    stop();
    const session = store.get(userSessionAtom);
    const isElsewhere = session !== undefined && session.organization.id !== organization;
    const forgetting = isElsewhere ? Promise.resolve() : runStore.remove(recordId!);
    forgetting.catch(report).finally(release);
  });
}
