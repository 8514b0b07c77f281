import { match, needle, scoreOf, type Candidate, type Match } from '#commands/text/score.ts';

/** A match of the candidate at `index`. Its ranges are found when they are read, since lists show few of their hits. */
export interface Hit extends Match {
  readonly index: number;
}

/** The score of the candidate at `index`, with its bonus. */
interface Score {
  readonly index: number;
  readonly score: number;
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
      return topList.ranking().map(({ index, score }) => ({
        index,
        score,
        get ranges() {
          return match(candidates[index] as Candidate, pattern)?.ranges ?? [];
        },
      }));
    },
  };
}

/**
 * Keeps the best `limit` entries in a heap with the worst of them at its root, so most offers need only one comparison.
 */
export function createTopList(limit: number): {
  offer(index: number, score: number): void;
  /** Returns the entries, best score first. Equal scores are in the order of their indexes. */
  ranking(): readonly Score[];
} {
  const heap: Score[] = [];
  const isWorse = (a: Score, b: Score): boolean => a.score < b.score || (a.score === b.score && a.index > b.index);
  const swap = (a: number, b: number): void => {
    [heap[a], heap[b]] = [heap[b] as Score, heap[a] as Score];
  };
  const siftUp = (position: number): void => {
    const parent = (position - 1) >> 1;
    if (position === 0 || !isWorse(heap[position] as Score, heap[parent] as Score)) return;
    swap(position, parent);
    siftUp(parent);
  };
  const siftDown = (position: number): void => {
    const [left, right] = [2 * position + 1, 2 * position + 2];
    let worst = position;
    if (left < heap.length && isWorse(heap[left] as Score, heap[worst] as Score)) worst = left;
    if (right < heap.length && isWorse(heap[right] as Score, heap[worst] as Score)) worst = right;
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
    ranking: () => heap.toSorted((a, b) => (isWorse(a, b) ? 1 : -1)),
  };
}
