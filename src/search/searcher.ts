import { match, needle, scoreOf, type Candidate, type Match, type Needle } from '#commands/text/score.ts';

/** A match of the candidate at `index`. */
export interface Hit extends Match {
  readonly index: number;
}

export interface Searcher {
  /**
   * Returns the best `limit` candidates, best first. Equal scores keep their order. `bonus` is added to a candidate's
   * score, for example for habits.
   */
  search(query: string, limit: number, bonus?: (index: number) => number): readonly Hit[];
}

/** Searches a fixed list. While the query grows, rechecks only the previous matches. */
export function createSearcher(candidates: readonly Candidate[]): Searcher {
  let previous: { readonly query: string; readonly hits: readonly number[] } | undefined;
  return {
    search(query, limit, bonus = () => 0) {
      const pattern = needle(query);
      const previousHits = previous && query.startsWith(previous.query) ? previous.hits : undefined;
      const hits: number[] = [];
      const topList = createTopList(limit);
      const check = (index: number): void => {
        const score = scoreOf(candidates[index] as Candidate, pattern);
        if (score === undefined) return;
        hits.push(index);
        topList.offer(index, score + bonus(index));
      };
      if (previousHits) for (const index of previousHits) check(index);
      else for (let index = 0; index < candidates.length; index++) check(index);
      previous = { query, hits };
      return topList.ranking().map((index) => toHit(index, candidates[index] as Candidate, pattern, bonus(index)));
    },
  };
}

function toHit(index: number, candidate: Candidate, pattern: Needle, bonus: number): Hit {
  const { score, ranges } = match(candidate, pattern) ?? { score: 0, ranges: [] };
  return { index, score: score + bonus, ranges };
}

/**
 * Keeps the best `limit` entries in a heap with the worst of them at its root, so most offers need only one comparison.
 */
export function createTopList(limit: number): {
  offer(index: number, score: number): void;
  /** Returns the indexes, best score first. Equal scores are in the order of their indexes. */
  ranking(): readonly number[];
} {
  const heap: { readonly index: number; readonly score: number }[] = [];
  type Entry = (typeof heap)[number];
  const isWorse = (a: Entry, b: Entry): boolean => a.score < b.score || (a.score === b.score && a.index > b.index);
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Entry, heap[a] as Entry];
  };
  const siftUp = (position: number): void => {
    const parent = (position - 1) >> 1;
    if (position === 0 || !isWorse(heap[position] as Entry, heap[parent] as Entry)) return;
    swap(position, parent);
    siftUp(parent);
  };
  const siftDown = (position: number): void => {
    const [left, right] = [2 * position + 1, 2 * position + 2];
    let worst = position;
    if (left < heap.length && isWorse(heap[left] as Entry, heap[worst] as Entry)) worst = left;
    if (right < heap.length && isWorse(heap[right] as Entry, heap[worst] as Entry)) worst = right;
    if (worst === position) return;
    swap(position, worst);
    siftDown(worst);
  };
  return {
    offer(index, score) {
      if (heap.length < limit) {
        heap.push({ index, score });
        siftUp(heap.length - 1);
        return;
      }
      const worst = heap[0];
      // Most offers end here, without an allocation.
      if (worst === undefined || score < worst.score || (score === worst.score && index > worst.index)) return;
      heap[0] = { index, score };
      siftDown(0);
    },
    ranking: () => heap.toSorted((a, b) => (isWorse(a, b) ? 1 : -1)).map(({ index }) => index),
  };
}
