import { failedResults, RESULT_KINDS, resultKind } from '#commands/model/result.ts';
import type { CompletedRun } from '#commands/run/completed-run.ts';
import { addRun, findUndoing, restoreUndoing } from '#commands/run/history.ts';
import { toInterruptedRun, type RunRecord } from '#commands/run/run-record.ts';
import { remainingResults } from '#commands/run/run.ts';
import { storableArgs } from '#commands/run/storable-args.ts';
import { toInterruptedUndo } from '#commands/run/undo-record.ts';
import { groupBy } from '#commands/text/group-by.ts';
import { message } from '#commands/text/message.ts';
import { translate, withStrings } from '#src/i18n/i18n.ts';
import { report } from '#src/net/report.ts';
import { loadCommands, registry } from '#src/registry/registry.ts';
import { commandAction } from '#src/run/command-action.ts';
import { paletteAtom } from '#src/state/layers.ts';
import { store } from '#src/state/store.ts';
import { toasts } from '#src/state/toasts.ts';
import { userSessionAtom } from '#src/state/user-session.ts';
import {
  canceledRunAtom,
  failedRunAtom,
  historyAtom,
  interruptedRunAtom,
  lastResultsAtom,
  runningCommandsAtom,
} from '#src/state/work.ts';

import { claimRun } from './claim.ts';
import { canStoreRuns, runStore, type StoredRun } from './run-store.ts';

/** After this time, a run is no longer offered, because the fleet has changed too much. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Offers to continue the runs that the user started in the organization and that didn't end because their pages closed
 * or crashed: the newest one, and each of the others once the one before it was continued, undone, or dismissed. Each
 * page offers a run that no other page has claimed, so it can only be continued once.
 *
 * @param start runs the command that the toast offers
 */
export function offerInterruptedRuns(start: (id: string) => unknown): void {
  if (!canStoreRuns()) return;
  let offeredTo: string | undefined;
  const offer = (): void => {
    const owner = currentOwner();
    const key = owner && JSON.stringify(owner);
    if (key === offeredTo) return;
    offeredTo = key;
    if (owner) offering = offerTo(owner, start).catch(report);
  };
  store.sub(userSessionAtom, offer);
  offer();
}

let offering: Promise<void> = Promise.resolve();

/** Resolves once the newest interrupted run of the user has been found and is in the history. */
export const whenOffered = (): Promise<void> => offering;

/** The user whose runs are offered, in one organization. */
type Owner = Pick<RunRecord, 'person' | 'organization'>;

function currentOwner(): Owner | undefined {
  const session = store.get(userSessionAtom);
  return session?.organization.id ? { person: session.actor.id, organization: session.organization.id } : undefined;
}

const isSame = (owner: Owner, { person, organization }: Owner): boolean =>
  owner.person === person && owner.organization === organization;

const isCurrent = (owner: Owner): boolean => isSame(owner, currentOwner() ?? { person: '', organization: '' });

async function offerTo(owner: Owner, start: (id: string) => unknown): Promise<void> {
  for (const { id, startedAt, ...record } of await runStore.list()) {
    if (Date.now() - startedAt > MAX_AGE_MS) await removeUnclaimed(id);
    else if (isSame(owner, record)) {
      const claim = await claimInterrupted(id);
      if (!claim) continue;
      // The user switched to another organization meanwhile.
      if (!isCurrent(owner)) return claim.release();
      return show(claim, owner, start);
    }
  }
}

async function removeUnclaimed(id: string): Promise<void> {
  const release = await claimRun(id);
  if (!release) return;
  await runStore.remove(id);
  release();
}

interface Claim {
  readonly completedRun: CompletedRun;
  /** The change that it undoes, with what is left to undo, if it is an undo. */
  readonly undoneChange?: CompletedRun;
  readonly release: () => void;
}

/** Claims a run. Returns undefined if it is running, or if its completed part was undone. */
async function claimInterrupted(id: string): Promise<Claim | undefined> {
  const release = await claimRun(id);
  if (!release) return undefined;
  // It may have ended before it could be claimed.
  const storedRun = await runStore.get(id);
  const restored = storedRun && !isObsolete(id) ? await restore(storedRun) : undefined;
  if (restored) return { ...restored, release };
  if (storedRun) await runStore.remove(id);
  release();
  return undefined;
}

/** True if nothing is left to undo of a run, or of the change that it undoes. */
const isUndone = (id: string): boolean =>
  store
    .get(historyAtom)
    .entries.some(({ undone, undoRecords, run }) => undone && (run.recordId === id || undoRecords?.includes(id)));

/** True if a run must not be offered, because it was undone, or because a later undo continued it. */
const isObsolete = (id: string): boolean => {
  const undoing = findUndoing(store.get(historyAtom), id);
  return isUndone(id) || (undoing !== undefined && undoing.undoRecords?.at(-1) !== id);
};

/** Returns an interrupted run, or undefined if its command no longer exists. */
async function restore({ record, calls }: StoredRun): Promise<Omit<Claim, 'release'> | undefined> {
  const { id, args } = record.invocation;
  const ids = record.undoes ? [id, record.undoes.command, ...record.inverse.map((step) => step.id)] : [id];
  await loadCommands(ids);
  const command = registry().command(id);
  if (!command || ids.some((commandId) => !registry().command(commandId))) return undefined;
  const undo = toInterruptedUndo(record, calls);
  if (undo) return { completedRun: undo.run, undoneChange: undo.change };
  // The history has no content of files.
  const invocation = { id, args: storableArgs(command, args) };
  return { completedRun: { ...toInterruptedRun(record, calls), invocation, fullArgs: args } };
}

/** Records what was done, so it can be undone, and offers to continue with the rest. */
function show({ completedRun, undoneChange, release }: Claim, owner: Owner, start: (id: string) => unknown): void {
  const { outcome } = completedRun;
  const recordId = completedRun.recordId!;
  recordInHistory(completedRun, undoneChange);
  // An undo has no items of its own that a table could show.
  if (!undoneChange) store.set(lastResultsAtom, completedRun);
  store.set(failedRunAtom, failedResults(outcome).length > 0 ? completedRun : undefined);
  store.set(interruptedRunAtom, completedRun);
  const toast = offerByToast(completedRun, start);
  const hasRest = !isUndone(recordId);
  const check = (): void => {
    const isOffered = store.get(interruptedRunAtom)?.recordId === recordId;
    const isOver = !isOffered || (hasRest && isUndone(recordId));
    if (!isOver && isCurrent(owner)) return;
    stops.forEach((stop) => stop());
    toast.close();
    if (isOffered) store.set(interruptedRunAtom, undefined);
    // In another organization, or signed out, the user can't decide, so the run is offered again later.
    const forgetting = isOver ? runStore.remove(recordId) : Promise.resolve();
    forgetting
      .catch(report)
      .finally(release)
      .then(() => (isCurrent(owner) ? offerTo(owner, start) : undefined))
      .catch(report);
  };
  const stops = [interruptedRunAtom, historyAtom, userSessionAtom].map((source) => store.sub(source, check));
}

function recordInHistory(completedRun: CompletedRun, undoneChange: CompletedRun | undefined): void {
  const recordId = completedRun.recordId!;
  if (undoneChange) return store.set(historyAtom, (history) => restoreUndoing(history, recordId, undoneChange));
  const isRecorded = store.get(historyAtom).entries.some(({ run }) => run.recordId === recordId);
  if (!isRecorded) store.set(historyAtom, (history) => addRun(history, completedRun));
}

/**
 * Offers a run in a toast that stays, except while the user can continue a run that they canceled later, because that
 * comes first, and while it continues. Its button closes the toast, but the user can still cancel the plan. Closing the
 * toast dismisses the run.
 */
function offerByToast(completedRun: CompletedRun, start: (id: string) => unknown): { readonly close: () => void } {
  let toast: number | undefined;
  let isClosed = false;
  let isStarting = false;
  const close = (): void => {
    if (toast !== undefined) toasts.close(toast);
    toast = undefined;
  };
  const update = (): void => {
    if (store.get(canceledRunAtom) || isStarting || isContinuing()) close();
    else
      withStrings(() => {
        if (toast === undefined && !isClosed) toast = toasts.push(toToast(completedRun, startOnce));
      });
  };
  const startOnce = async (id: string): Promise<void> => {
    isStarting = true;
    update();
    try {
      await start(id);
    } finally {
      isStarting = false;
      update();
    }
  };
  const stops = [canceledRunAtom, paletteAtom, runningCommandsAtom].map((source) => store.sub(source, update));
  update();
  return {
    close() {
      isClosed = true;
      stops.forEach((stop) => stop());
      close();
    },
  };
}

/** True while a change runs, or its plan is shown. */
function isContinuing(): boolean {
  const palette = store.get(paletteAtom);
  return (
    (palette.open && palette.preparedRun !== undefined) || store.get(runningCommandsAtom).some(({ writes }) => writes)
  );
}

function toToast(completedRun: CompletedRun, start: (id: string) => unknown): Parameters<typeof toasts.push>[0] {
  const { outcome, summary } = completedRun;
  const { length: remainingCount } = remainingResults(completedRun);
  const counts = groupBy(outcome.results ?? [], resultKind);
  return {
    title: translate(message('running:interrupted.toast', { title: summary?.values?.['title'] ?? '' })),
    detail: RESULT_KINDS.toReversed()
      .flatMap((kind) => {
        const count = counts.get(kind)?.length ?? 0;
        return count > 0 ? [translate(message(`running:report.count.${kind}`, { count }))] : [];
      })
      .join(' · '),
    duration: Infinity,
    onDismiss: () => store.set(interruptedRunAtom, undefined),
    ...(remainingCount > 0
      ? {
          action: commandAction(
            'app.continue',
            message('console:toast.continue', { count: remainingCount }),
            () => void start('app.continue'),
          ),
        }
      : {}),
  };
}
