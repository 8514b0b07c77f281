import { diffArrays } from 'diff';

/** A part of a text that differs from another text. Lines count from 0. */
export interface LineChange {
  /** The position of the lines in the old text, and their number. */
  readonly oldStart: number;
  readonly removed: number;
  /** The position of the lines in the new text, and their number. */
  readonly newStart: number;
  readonly added: number;
}

/** Beyond this number of added and removed lines, the texts count as one change. */
const MAX_EDITS = 1000;

/** Returns the fewest changes of whole lines that turn a text into another, in order. */
export function diffLines(before: string, after: string): readonly LineChange[] {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const parts = diffArrays(old, current, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [{ oldStart: 0, removed: old.length, newStart: 0, added: current.length }];
  const changes: LineChange[] = [];
  let [oldStart, newStart] = [0, 0];
  // True while the last change may go on: the library returns removed and added lines separately.
  let isOpen = false;
  for (const part of parts) {
    const removed = part.removed ? part.count : 0;
    const added = part.added ? part.count : 0;
    const isChange = part.removed || part.added;
    const last = isOpen ? changes.pop() : undefined;
    if (last) changes.push({ ...last, removed: last.removed + removed, added: last.added + added });
    else if (isChange) changes.push({ oldStart, removed, newStart, added });
    isOpen = isChange;
    oldStart += part.added ? 0 : part.count;
    newStart += part.removed ? 0 : part.count;
  }
  return changes;
}

/** The number of lines that changes touch. A replaced line counts once. */
export const countChangedLines = (changes: readonly LineChange[]): number =>
  changes.reduce((sum, { removed, added }) => sum + Math.max(removed, added), 0);
