import type { ComparedMessage, Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import type { Verdict } from '#commands/nouns/data/parser/bench/difference.ts';

const MAX_ROWS = 300;

/** Returns the messages that the pane lists. */
export function shownRows(comparison: Comparison | undefined): readonly ComparedMessage[] {
  return (comparison?.rows ?? []).slice(0, MAX_ROWS);
}

/** The results that a new definition is expected to have. */
const EXPECTED: readonly Verdict[] = ['same', 'works'];

/** Returns the next or previous message with a different result, or a failure, starting at the active one. */
export function nextDifference(
  rows: readonly ComparedMessage[],
  active: string | undefined,
  direction: 1 | -1,
): ComparedMessage | undefined {
  const index = rows.findIndex(({ id }) => id === active);
  const following = direction > 0 ? rows.slice(index + 1) : rows.slice(0, Math.max(index, 0)).toReversed();
  return following.find(({ difference }) => !EXPECTED.includes(difference.verdict));
}
