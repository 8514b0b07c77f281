import { sampleRows, type ComparedMessage, type Comparison } from '#commands/nouns/data/parser/bench/comparison.ts';
import { VERDICTS, type Verdict } from '#commands/nouns/data/parser/bench/difference.ts';

/** The number of rows to render. */
const MAX_ROWS = 300;

/** Returns the messages that the pane lists: those with a verdict, or some of every verdict. */
export function shownRows(comparison: Comparison | undefined, verdict?: Verdict): readonly ComparedMessage[] {
  const rows = comparison?.rows ?? [];
  return sampleRows(verdict ? rows.filter(({ difference }) => difference.verdict === verdict) : rows, MAX_ROWS);
}

/** Returns the next verdict that a message has, the most urgent first. Undefined, for all messages, after the last. */
export function nextVerdict({ counts }: Comparison, verdict: Verdict | undefined): Verdict | undefined {
  const present = VERDICTS.filter((candidate) => counts[candidate] > 0);
  return present[verdict === undefined ? 0 : present.indexOf(verdict) + 1];
}

/** The results that a new definition is expected to have. */
const EXPECTED: readonly Verdict[] = ['same', 'works'];

/**
 * Returns the next or previous message with a different result, or a failure, starting at the active one. Stops at
 * every message if the list has only expected results, because the user has chosen to see them.
 */
export function nextDifference(
  rows: readonly ComparedMessage[],
  active: string | undefined,
  direction: 1 | -1,
): ComparedMessage | undefined {
  const isDifferent = ({ difference }: ComparedMessage): boolean => !EXPECTED.includes(difference.verdict);
  const stops = rows.some(isDifferent) ? isDifferent : () => true;
  const index = rows.findIndex(({ id }) => id === active);
  const following = direction > 0 ? rows.slice(index + 1) : rows.slice(0, Math.max(index, 0)).toReversed();
  return following.find(stops);
}
