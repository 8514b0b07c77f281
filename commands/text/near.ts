/** Reads a cell of the table. A cell outside the table is infinite, so it is never the minimum. */
const cell = (row: readonly number[], column: number): number => row[column] ?? Infinity;

/**
 * Returns the edit distance (optimal string alignment). Counts insertions, deletions, replacements, and swaps of
 * neighbors.
 */
function distance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (const [row, char] of a.entries()) {
    const next = [row + 1];
    for (const [column, target] of b.entries()) {
      const replaceCost = cell(last, column) + Number(char !== target);
      const isTransposition = char === b[column - 1] && a[row - 1] === target;
      const swapCost = isTransposition ? cell(beforeLast, column - 1) + 1 : Infinity;
      next.push(Math.min(replaceCost, swapCost, cell(last, column + 1) + 1, cell(next, column) + 1));
    }
    [beforeLast, last] = [last, next];
  }
  return cell(last, b.length);
}

const normalize = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

const MAX_TYPOS = 3;

/** Allows one typo per three letters, so a word of two letters allows none. */
const maxTyposIn = (text: string): number => Math.min(MAX_TYPOS, Math.floor(text.length / 3));

/** Returns the names with the lowest ranks, lowest first. Omits names with an infinite rank. */
function lowestRanked(names: readonly string[], rankOf: (name: string) => number, limit: number): readonly string[] {
  return [...new Set(names)]
    .map((name) => ({ name, rank: rankOf(name) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ name }) => name);
}

/**
 * Returns the names closest to the text, nearest first. Names that start with the text or contain it come first, then
 * names that differ by a few letters, and then names that occur in the text as words. Ignores case, spaces, `-`, and
 * `_`.
 */
export function nearestNames(text: string, names: readonly string[], limit = 3): readonly string[] {
  const normalizedText = normalize(text);
  if (normalizedText === '') return [];
  const rank = (name: string): number => {
    const candidate = normalize(name);
    if (candidate === normalizedText) return 0;
    if (candidate.startsWith(normalizedText)) return 1;
    if (normalizedText.length > 2 && candidate.includes(normalizedText)) return 2;
    const maxTypos = maxTyposIn(normalizedText.length > candidate.length ? normalizedText : candidate);
    const isWordPart = candidate.length > 2 && ` ${normalizedText} `.includes(` ${candidate} `);
    const fallbackRank = isWordPart ? 3 + MAX_TYPOS : Infinity;
    // Each typo changes the length by at most one letter of two UTF-16 units, so long pasted strings skip the
    // comparison.
    if (Math.abs(normalizedText.length - candidate.length) > 2 * maxTypos) return fallbackRank;
    const typos = distance(normalizedText, candidate);
    return typos <= maxTypos ? 2 + typos : fallbackRank;
  };
  return lowestRanked(names, rank, limit);
}

/** The number of names to list if none is close. */
const MAX_LISTED = 12;

/** Lists the names closest to the text for an error message, or else the first names. */
export function listNearest(text: string, names: readonly string[]): string {
  const nearest = nearestNames(text, names);
  if (nearest.length > 0) return nearest.join(', ');
  return names.length > MAX_LISTED ? `${names.slice(0, MAX_LISTED).join(', ')}, …` : names.join(', ');
}

/** The maximum length of text that can be part of a name. Longer text has been pasted. */
const MAX_PART_LENGTH = 100;

/** Returns the names with consecutive words that are closest to the text, nearest first. */
export function nearestPart(text: string, names: readonly string[], limit = 3): readonly string[] {
  const normalizedText = normalize(text);
  const maxTypos = maxTyposIn(normalizedText);
  if (maxTypos === 0 || normalizedText.length > MAX_PART_LENGTH) return [];
  const count = normalizedText.split(' ').length;
  const typos = (name: string): number => {
    const words = normalize(name.replaceAll(',', ' ')).split(' ');
    const parts = words
      .slice(0, Math.max(0, words.length - count + 1))
      .map((_, index) => words.slice(index, index + count).join(' '));
    return Math.min(
      ...parts.map((part) => {
        const typoCount = distance(normalizedText, part);
        return typoCount <= maxTypos ? typoCount : Infinity;
      }),
    );
  };
  return lowestRanked(names, typos, limit);
}

/** Returns the names that contain every word of the text, or else those with its first word, shortest first. */
export function namesWithWords(text: string, names: readonly string[], limit = 5): readonly string[] {
  const words = normalize(text).slice(0, MAX_PART_LENGTH).split(' ');
  const [first = ''] = words;
  if (first.length <= MAX_TYPOS) return [];
  const rank = (wanted: readonly string[]) => (name: string) =>
    wanted.every((word) => normalize(name).includes(word)) ? name.length : Infinity;
  const matches = lowestRanked(names, rank(words), limit);
  return matches.length > 0 ? matches : lowestRanked(names, rank([first]), limit);
}
