import type { Invocation } from '#commands/model/invocation.ts';
import { findUndoing, markUndoing, unmarkUndoing } from '#commands/run/history.ts';
import { createRunRecord, recordCalls, type CallRecorder } from '#commands/run/run-record.ts';
import type { PreparedRun } from '#commands/run/run.ts';
import { storableStep } from '#commands/run/storable-args.ts';
import { createRecordOfUndo } from '#commands/run/undo-record.ts';
import { report } from '#src/net/report.ts';
import { loadCommands, registry } from '#src/registry/registry.ts';
import { contextNow } from '#src/run/context.ts';
import { store } from '#src/state/store.ts';
import { historyAtom } from '#src/state/work.ts';

import { claimRun } from './claim.ts';
import { canStoreRuns, runStore } from './run-store.ts';

/** Follows a staged run call by call, so it can be continued if the page closes before the run ends. */
export interface Journal extends CallRecorder {
  /** Forgets the run, because it has ended. */
  close(): Promise<void>;
}

/**
 * Starts to follow a run. Returns undefined if the run can't be continued anyway, or if the browser can't store it: a
 * change must not fail because of that.
 */
export async function startJournal(preparedRun: PreparedRun): Promise<Journal | undefined> {
  if (!canStoreRuns()) return undefined;
  const ids = { id: crypto.randomUUID(), startedAt: Date.now() };
  const { undoes, continues } = preparedRun;
  const record = undoes
    ? createRecordOfUndo(preparedRun, contextNow(), ids, registry())
    : createRunRecord(preparedRun, contextNow(), ids);
  if (!record) return undefined;
  const { id } = record;
  let release: (() => void) | undefined;
  try {
    release = await claimRun(id);
    // Before the record, so a record of an undo is never taken for one of a change that the history doesn't have.
    if (undoes) store.set(historyAtom, (history) => markUndoing(history, undoes.entry, id));
    await runStore.add({ ...record, inverse: await storableSteps(record.inverse) });
    return follow(id, continues, () => release?.());
  } catch (error) {
    release?.();
    if (undoes) store.set(historyAtom, (history) => unmarkUndoing(history, id));
    report(error);
    return undefined;
  }
}

/** Returns the steps of an inverse without their secrets. */
async function storableSteps(steps: readonly Invocation[]): Promise<readonly Invocation[]> {
  // Only a loaded command declares which of its arguments are secret.
  await loadCommands(steps.map((step) => step.id));
  return steps.map((step) => storableStep(step, registry()));
}

function follow(id: string, continues: string | undefined, release: () => void): Journal {
  let isClosed = false;
  /** Ends the journal if a call can't be stored, because its items would count as untried. */
  const write = async (put: () => Promise<void>): Promise<void> => {
    if (isClosed) return;
    try {
      await put();
    } catch (error) {
      report(error);
      await close();
    }
  };
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await runStore.remove(id).catch(report);
    if (findUndoing(store.get(historyAtom), id)) store.set(historyAtom, (history) => unmarkUndoing(history, id));
    release();
  };
  const recorder = recordCalls((number, { inverse, ...call }) =>
    write(async () => {
      const steps = inverse ? { inverse: await storableSteps(inverse) } : {};
      await runStore.putCall({ run: id, number, ...call, ...steps });
      // The rest of the interrupted run is now in the new record. Before the first call, the old one is still right.
      if (number === 0 && continues !== undefined) await runStore.remove(continues);
    }),
  );
  return { ...recorder, close };
}
