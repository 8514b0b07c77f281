/** A cell beside the table is never the least. */
const cell = (row: readonly number[], column: number): number => row[column] ?? Infinity;

/** How many letters differ: inserted, left out, replaced, or two neighbours swapped (optimal string alignment). */
function distance(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [column, wanted] of b.entries()) {
      const replaced = cell(last, column) + Number(letter !== wanted);
      const swaps = letter === b[column - 1] && a[row - 1] === wanted;
      const swapped = swaps ? cell(beforeLast, column - 1) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, cell(last, column + 1) + 1, cell(next, column) + 1));
    }
    [beforeLast, last] = [last, next];
  }
  return cell(last, b.length);
}

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/** A slip in every three letters is still a slip; a word of two letters has no room for one. */
const allowed = (text: string): number => Math.min(3, Math.floor(text.length / 3));

/**
 * The names that a text was probably meant to be, nearest first: what begins with it or holds it, then what is a few
 * letters off. Upper case, spaces, `-` and `_` do not count.
 */
export function nearest(text: string, names: readonly string[], most = 3): readonly string[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const rank = (name: string): number => {
    const known = plain(name);
    if (known === wanted) return 0;
    if (known.startsWith(wanted)) return 1;
    if (wanted.length > 2 && known.includes(wanted)) return 2;
    const most = allowed(wanted.length > known.length ? wanted : known);
    // Each slip adds or takes one letter, of at most two units: a long text that was pasted is compared with nothing.
    if (Math.abs(wanted.length - known.length) > 2 * most) return Infinity;
    const slips = distance(wanted, known);
    return slips <= most ? 2 + slips : Infinity;
  };
  return [...new Set(names)]
    .map((name) => ({ name, rank: rank(name) }))
    .filter((item) => Number.isFinite(item.rank))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ name }) => name);
}
