import { match, needle, scoreOf, type Candidate, type Match, type Needle } from '#commands/text/score.ts';

/** A hit: the place of the candidate in what was searched, and how well it fits. */
export interface Hit extends Match {
  readonly index: number;
}

export interface Searcher {
  /**
   * The best `limit` candidates, best first; candidates that fit alike stay in their order. `bonus` is what a candidate
   * is worth by itself (habits), on the scale of the scores.
   */
  search(query: string, limit: number, bonus?: (index: number) => number): readonly Hit[];
}

/** Searches a list that does not change. While the query grows, only what matched before is looked at again. */
export function createSearcher(candidates: readonly Candidate[]): Searcher {
  let before: { readonly query: string; readonly hits: readonly number[] } | undefined;
  return {
    search(query, limit, bonus = () => 0) {
      const typed = needle(query);
      const among = before && query.startsWith(before.query) ? before.hits : undefined;
      const hits: number[] = [];
      const best = createTop(limit);
      const look = (index: number): void => {
        const score = scoreOf(candidates[index] as Candidate, typed);
        if (score === undefined) return;
        hits.push(index);
        best.offer(index, score + bonus(index));
      };
      if (among) for (const index of among) look(index);
      else for (let index = 0; index < candidates.length; index++) look(index);
      before = { query, hits };
      return best.taken().map((index) => hitOf(index, candidates[index] as Candidate, typed, bonus(index)));
    },
  };
}

function hitOf(index: number, candidate: Candidate, typed: Needle, bonus: number): Hit {
  const { score, ranges } = match(candidate, typed) ?? { score: 0, ranges: [] };
  return { index, score: score + bonus, ranges };
}

/** Keeps the best `limit` of many in a heap whose root is the worst kept, so that most offers cost one comparison. */
export function createTop(limit: number): {
  offer(index: number, score: number): void;
  /** Best first; equals in the order of their indexes. */
  taken(): readonly number[];
} {
  const heap: { readonly index: number; readonly score: number }[] = [];
  type Entry = (typeof heap)[number];
  const worse = (a: Entry, b: Entry): boolean => a.score < b.score || (a.score === b.score && a.index > b.index);
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Entry, heap[a] as Entry];
  };
  const rise = (at: number): void => {
    const parent = (at - 1) >> 1;
    if (at === 0 || !worse(heap[at] as Entry, heap[parent] as Entry)) return;
    swap(at, parent);
    rise(parent);
  };
  const sink = (at: number): void => {
    const [left, right] = [2 * at + 1, 2 * at + 2];
    let worst = at;
    if (left < heap.length && worse(heap[left] as Entry, heap[worst] as Entry)) worst = left;
    if (right < heap.length && worse(heap[right] as Entry, heap[worst] as Entry)) worst = right;
    if (worst === at) return;
    swap(at, worst);
    sink(worst);
  };
  return {
    offer(index, score) {
      const entry = { index, score };
      if (heap.length < limit) {
        heap.push(entry);
        rise(heap.length - 1);
      } else if (limit > 0 && worse(heap[0] as Entry, entry)) {
        heap[0] = entry;
        sink(0);
      }
    },
    taken: () => heap.toSorted((a, b) => (worse(a, b) ? 1 : -1)).map(({ index }) => index),
  };
}
