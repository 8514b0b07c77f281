/** A part of a text that differs from another text. Lines count from 0. */
export interface LineChange {
  /** The position of the lines in the old text, and their number. */
  readonly oldStart: number;
  readonly removed: number;
  /** The position of the lines in the new text, and their number. */
  readonly newStart: number;
  readonly added: number;
}

/** Beyond this number of added and removed lines, the middle of the texts counts as one change. */
const MAX_EDITS = 1000;

/** Returns the fewest changes of whole lines that turn a text into another, in order (Myers 1986). */
export function diffLines(before: string, after: string): readonly LineChange[] {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, current.length);
  let start = 0;
  while (start < shorter && old[start] === current[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  const [oldMiddle, newMiddle] = [old.slice(start, old.length - end), current.slice(start, current.length - end)];
  if (oldMiddle.length + newMiddle.length === 0) return [];
  const changes = shortestEdit(oldMiddle, newMiddle) ?? [
    { oldStart: 0, removed: oldMiddle.length, newStart: 0, added: newMiddle.length },
  ];
  return changes.map((change) => ({
    ...change,
    oldStart: change.oldStart + start,
    newStart: change.newStart + start,
  }));
}

/** Returns the changes, or undefined if there are more than {@link MAX_EDITS}. */
function shortestEdit(old: readonly string[], current: readonly string[]): readonly LineChange[] | undefined {
  /** By diagonal: how far into the old text a number of edits gets. */
  const reach = new Map<number, number>([[1, 0]]);
  const reached: ReadonlyMap<number, number>[] = [];
  const isInsertion = (from: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean =>
    diagonal === -edits || (diagonal !== edits && (from.get(diagonal - 1) ?? -1) < (from.get(diagonal + 1) ?? -1));
  for (let edits = 0; edits <= Math.min(MAX_EDITS, old.length + current.length); edits++) {
    reached.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = isInsertion(reach, diagonal, edits) ? reach.get(diagonal + 1)! : reach.get(diagonal - 1)! + 1;
      while (x < old.length && x - diagonal < current.length && old[x] === current[x - diagonal]) x++;
      reach.set(diagonal, x);
      if (x >= old.length && x - diagonal >= current.length) return changesBack(reached, old.length, current.length);
    }
  }
  return undefined;

  /** Follows the edits back from the end, and joins those without a common line between them. */
  function changesBack(steps: readonly ReadonlyMap<number, number>[], oldEnd: number, newEnd: number): LineChange[] {
    const changes: LineChange[] = [];
    let [x, y] = [oldEnd, newEnd];
    for (let edits = steps.length - 1; edits > 0; edits--) {
      const from = steps[edits]!;
      const isAdded = isInsertion(from, x - y, edits);
      const diagonal = isAdded ? x - y + 1 : x - y - 1;
      const previousX = from.get(diagonal)!;
      const [oldStart, newStart] = [previousX, previousX - diagonal];
      const [removed, added] = isAdded ? [0, 1] : [1, 0];
      const next = changes[0];
      const isAdjacent = next?.oldStart === oldStart + removed && next.newStart === newStart + added;
      if (isAdjacent) changes[0] = { oldStart, newStart, removed: next.removed + removed, added: next.added + added };
      else changes.unshift({ oldStart, newStart, removed, added });
      [x, y] = [oldStart, newStart];
    }
    return changes;
  }
}

/** The number of lines that changes touch. A replaced line counts once. */
export const countChangedLines = (changes: readonly LineChange[]): number =>
  changes.reduce((sum, { removed, added }) => sum + Math.max(removed, added), 0);
