import { isRefusal } from '#commands/model/errors.ts';
import type { Invocation } from '#commands/model/invocation.ts';
import type { Done } from './done.ts';

/**
 * What was done since the console was opened, newest last: for `u` (undo), `.` (repeat) and the status line. Kept per
 * organization; an undone entry is not undone twice, and an undo is itself not undone (`.` does it again).
 */
export interface History {
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly done: Done;
  readonly undone: boolean;
}

export const EMPTY: History = { entries: [] };

/** Entries kept; older ones can no longer be undone. */
export const LIMIT = 100;

/** Changes kept to compare with before an undo; a whole fleet is 100,000. */
const LEFT_LIMIT = 250_000;

export function remember(history: History, done: Done): History {
  return { entries: trimmed([...history.entries, { done, undone: false }].slice(-LIMIT)) };
}

/** Forgets what the oldest entries left behind where that would take too much memory. */
function trimmed(entries: readonly Entry[]): readonly Entry[] {
  let room = LEFT_LIMIT;
  return entries
    .toReversed()
    .map((entry) => {
      room -= entry.done.left?.length ?? 0;
      return room >= 0 ? entry : { ...entry, done: { ...entry.done, left: undefined } };
    })
    .toReversed();
}

/**
 * The newest entry of this organization that changed something and was not taken back. It may have no way back: then
 * nothing older is undone either.
 */
export function newestChange(history: History, organization: string): Entry | undefined {
  return history.entries.findLast(
    (entry) => !entry.undone && entry.done.organization === organization && changedSomething(entry.done),
  );
}

/** The same where it has a way back. */
export function undoable(history: History, organization: string): Entry | undefined {
  const newest = newestChange(history, organization);
  return newest?.done.inverse ? newest : undefined;
}

/**
 * Whether something was run after this entry that undo passes by: what is taken back is then not what was done last.
 */
export function isBehind(history: History, entry: Entry): boolean {
  return (
    history.entries.findLast((item) => !item.undone && item.done.organization === entry.done.organization) !== entry
  );
}

/**
 * False when each item was refused or not tried, when there was none to change, or when it destroyed nothing and has
 * no way back.
 */
export function changedSomething({ outcome: { results }, harmless, inverse }: Done): boolean {
  if (harmless && !inverse) return false;
  return results === undefined || results.some(({ failure, skipped }) => !skipped && !(failure && isRefusal(failure)));
}

export function markUndone(history: History, entry: Entry): History {
  return { entries: history.entries.map((item) => (isSame(item, entry) ? { ...item, undone: true } : item)) };
}

/** Keeps what is still to be taken back of an entry, where an undo was cancelled or failed in part. */
export function markLeft(history: History, entry: Entry, inverse: readonly Invocation[]): History {
  if (inverse.length === 0) return markUndone(history, entry);
  const rest = (item: Entry): Entry => ({ ...item, done: { ...item.done, inverse } });
  return { entries: history.entries.map((item) => (isSame(item, entry) ? rest(item) : item)) };
}

/** An entry is replaced when some of it is forgotten; its invocation stays. */
function isSame(a: Entry, b: Entry): boolean {
  return a.done.invocation === b.done.invocation;
}

/** The last command run in this organization, undone or not. */
export function lastInvocation(history: History, organization: string): Invocation | undefined {
  return history.entries.findLast((entry) => entry.done.organization === organization)?.done.invocation;
}
