import type { Invocation } from './invocation.ts';
import type { Done } from './run.ts';

/**
 * What was done in this visit, newest last: for `u` (undo), `.` (repeat) and the status line. Kept per organization; an undone entry is not undone
 * twice, and an undo is itself not undone (`.` does it again).
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
const LIMIT = 100;

export function remember(history: History, done: Done): History {
  return { entries: [...history.entries, { done, undone: false }].slice(-LIMIT) };
}

/** The newest entry of this organization that can be taken back. */
export function undoable(history: History, organization: string): Entry | undefined {
  return history.entries.findLast(
    (each) => !each.undone && each.done.inverse && each.done.organization === organization,
  );
}

export function markUndone(history: History, entry: Entry): History {
  return { entries: history.entries.map((each) => (each === entry ? { ...each, undone: true } : each)) };
}

/** The last command run in this organization, undone or not. */
export function lastInvocation(history: History, organization: string): Invocation | undefined {
  return history.entries.findLast((each) => each.done.organization === organization)?.done.invocation;
}
