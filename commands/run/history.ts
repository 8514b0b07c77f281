import { isRejection } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';

import type { CompletedRun } from './completed-run.ts';

/**
 * The runs since the console was opened, newest last. The history is used for `u` (undo), `.` (repeat), and the status
 * line. Each organization has its own undo history. An entry can be undone only once, and an undo can't be undone, but
 * `.` runs the command again.
 */
export interface History {
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly run: CompletedRun;
  readonly undone: boolean;
  /**
   * The ids of the stored records of its undos that may not have ended, newest last. Only the newest tells what is left
   * to undo.
   */
  readonly undoRecords?: readonly string[];
}

export const EMPTY_HISTORY: History = { entries: [] };

/** The maximum number of entries. Older entries can no longer be undone. */
export const MAX_ENTRIES = 100;

/** The maximum number of changes to keep for detecting conflicts before an undo. A large run makes 100,000. */
const MAX_CHANGES = 250_000;

export function addRun(history: History, run: CompletedRun): History {
  return { entries: trimEntries([...history.entries, { run, undone: false }].slice(-MAX_ENTRIES)) };
}

/** Removes the recorded changes of the oldest entries if the total exceeds {@link MAX_CHANGES}. */
function trimEntries(entries: readonly Entry[]): readonly Entry[] {
  let remainingCount = MAX_CHANGES;
  return entries
    .toReversed()
    .map((entry) => {
      remainingCount -= entry.run.changes?.length ?? 0;
      return remainingCount >= 0 ? entry : { ...entry, run: { ...entry.run, changes: undefined } };
    })
    .toReversed();
}

/**
 * Returns the newest entry of the given organization that changed something and was not undone. If it cannot be undone,
 * neither can older ones.
 */
export function newestChange(history: History, organization: string): Entry | undefined {
  return history.entries.findLast(
    (entry) => !entry.undone && entry.run.organization === organization && changedSomething(entry.run),
  );
}

/** Finds the newest change, if it can be undone. */
export function findUndoable(history: History, organization: string): Entry | undefined {
  const newest = newestChange(history, organization);
  return newest?.run.inverse ? newest : undefined;
}

/** True if undo skips a later entry and therefore does not revert the most recent run. */
export function hasSkippedLater(history: History, entry: Entry): boolean {
  return history.entries.findLast((item) => !item.undone && item.run.organization === entry.run.organization) !== entry;
}

/**
 * False if every item was rejected or skipped, if there were no items to change, or if the run destroyed nothing and
 * can't be undone.
 */
export function changedSomething({ outcome: { results }, harmless, inverse }: CompletedRun): boolean {
  if (harmless && !inverse) return false;
  return (
    results === undefined || results.some(({ failure, skipped }) => !skipped && !(failure && isRejection(failure)))
  );
}

export function markUndone(history: History, entry: Entry): History {
  return { entries: history.entries.map((item) => (isSame(item, entry) ? { ...item, undone: true } : item)) };
}

/** Stores the remaining part of an entry's inverse after an undo was canceled or partly failed. */
export function markRemaining(history: History, entry: Entry, inverse: readonly Invocation[]): History {
  if (inverse.length === 0) return markUndone(history, entry);
  const withRemaining = (item: Entry): Entry => ({ ...item, run: { ...item.run, inverse } });
  return { entries: history.entries.map((item) => (isSame(item, entry) ? withRemaining(item) : item)) };
}

/** Adds the id of the stored record of an undo that starts. */
export function markUndoing(history: History, entry: Entry, recordId: string): History {
  const withRecord = (item: Entry): Entry => ({ ...item, undoRecords: [...(item.undoRecords ?? []), recordId] });
  return { entries: history.entries.map((item) => (isSame(item, entry) ? withRecord(item) : item)) };
}

/** Removes the id of the record of an undo that ended. */
export function unmarkUndoing(history: History, recordId: string): History {
  const withoutRecord = ({ undoRecords = [], ...item }: Entry): Entry => ({
    ...item,
    undoRecords: undoRecords.filter((id) => id !== recordId),
  });
  const isMarked = (item: Entry): boolean => item.undoRecords?.includes(recordId) === true;
  return { entries: history.entries.map((item) => (isMarked(item) ? withoutRecord(item) : item)) };
}

/** Finds the entry that a stored undo undoes. */
export const findUndoing = ({ entries }: History, recordId: string): Entry | undefined =>
  entries.find(({ undoRecords }) => undoRecords?.includes(recordId));

/** Records what is left of an entry whose undo was interrupted. Adds the entry if it's missing from the history. */
export function restoreUndoing(history: History, recordId: string, change: CompletedRun): History {
  const { inverse = [] } = change;
  const entry = findUndoing(history, recordId);
  if (entry) return markRemaining(history, entry, inverse);
  const added = addRun(history, change);
  const newEntry = added.entries.at(-1)!;
  return markRemaining(markUndoing(added, newEntry, recordId), newEntry, inverse);
}

/** Compares invocations, because trimming replaces an entry but keeps its invocation. */
function isSame(a: Entry, b: Entry): boolean {
  return a.run.invocation === b.run.invocation;
}

/** Returns the last command that ran in the given organization, even if it was undone. */
export function lastInvocation(history: History, organization: string): Invocation | undefined {
  return history.entries.findLast((entry) => entry.run.organization === organization)?.run.invocation;
}
