import { isRefusal } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';

import type { CompletedRun } from './completed-run.ts';

/**
 * Every run since the console was opened, newest last. Used for `u` (undo), `.` (repeat) and the status line. Each
 * organization has its own undo history. An entry is undone only once, and an undo cannot itself be undone (`.` runs
 * the command again).
 */
export interface History {
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly done: CompletedRun;
  readonly undone: boolean;
}

export const EMPTY_HISTORY: History = { entries: [] };

/** Maximum number of entries; older ones can no longer be undone. */
export const LIMIT = 100;

/** Maximum number of changes stored for detecting conflicts before an undo; a run on a whole fleet makes 100,000. */
const CHANGES_LIMIT = 250_000;

export function remember(history: History, done: CompletedRun): History {
  return { entries: trimEntries([...history.entries, { done, undone: false }].slice(-LIMIT)) };
}

/** Drops the recorded changes of the oldest entries once they exceed {@link CHANGES_LIMIT}. */
function trimEntries(entries: readonly Entry[]): readonly Entry[] {
  let room = CHANGES_LIMIT;
  return entries
    .toReversed()
    .map((entry) => {
      room -= entry.done.changes?.length ?? 0;
      return room >= 0 ? entry : { ...entry, done: { ...entry.done, changes: undefined } };
    })
    .toReversed();
}

/**
 * Returns the newest entry of the given organization that changed something and was not undone. If it cannot be undone,
 * neither can older ones.
 */
export function newestChange(history: History, organization: string): Entry | undefined {
  return history.entries.findLast(
    (entry) => !entry.undone && entry.done.organization === organization && changedSomething(entry.done),
  );
}

/** Finds the newest change, if it can be undone. */
export function findUndoable(history: History, organization: string): Entry | undefined {
  const newest = newestChange(history, organization);
  return newest?.done.inverse ? newest : undefined;
}

/** True if undo skips a later entry, so it does not revert the most recent run. */
export function hasSkippedLater(history: History, entry: Entry): boolean {
  return (
    history.entries.findLast((item) => !item.undone && item.done.organization === entry.done.organization) !== entry
  );
}

/**
 * False if every item was refused or not tried, if there were no items to change, or if it destroyed nothing and cannot
 * be undone.
 */
export function changedSomething({ outcome: { results }, harmless, inverse }: CompletedRun): boolean {
  if (harmless && !inverse) return false;
  return results === undefined || results.some(({ failure, skipped }) => !skipped && !(failure && isRefusal(failure)));
}

export function markUndone(history: History, entry: Entry): History {
  return { entries: history.entries.map((item) => (isSame(item, entry) ? { ...item, undone: true } : item)) };
}

/** Stores the remaining part of an entry's inverse after an undo was canceled or partly failed. */
export function markRemaining(history: History, entry: Entry, inverse: readonly Invocation[]): History {
  if (inverse.length === 0) return markUndone(history, entry);
  const withRemaining = (item: Entry): Entry => ({ ...item, done: { ...item.done, inverse } });
  return { entries: history.entries.map((item) => (isSame(item, entry) ? withRemaining(item) : item)) };
}

/** Compares invocations, because trimming replaces an entry but keeps its invocation. */
function isSame(a: Entry, b: Entry): boolean {
  return a.done.invocation === b.done.invocation;
}

/** Returns the last command run in the given organization, undone or not. */
export function lastInvocation(history: History, organization: string): Invocation | undefined {
  return history.entries.findLast((entry) => entry.done.organization === organization)?.done.invocation;
}
