import { createPageCache } from './page-cache.ts';
import type { RowSource } from './row-source.ts';

export interface FetchedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Asks for rows `page * size` up to `(page + 1) * size`. Should stop when the signal aborts. */
export type FetchPage<Row> = (page: number, size: number, signal: AbortSignal) => Promise<FetchedPage<Row>>;

interface PagedSourceOptions<Row> {
  readonly fetchPage: FetchPage<Row>;
  readonly pageSize?: number;
  /** Most pages kept in memory. */
  readonly maxPages?: number;
  /** Most requests at once. */
  readonly concurrency?: number;
  /** Told of every failed request, also where older rows still stand in for what failed. */
  readonly onError?: (error: unknown) => void;
}

export interface PagedSource<Row> extends RowSource<Row> {
  /** Data changed: asks again for what is visible and shows the answers together, old rows standing until then. */
  readonly invalidate: () => void;
  /** Another list in the same place (a new filter or sort). The old rows stand until the new ones are here. */
  readonly replace: (fetchPage: FetchPage<Row>) => void;
  /** Whether what is shown is of the list that was asked for last, even if it is that it failed. */
  readonly isShown: () => boolean;
  /** Whether a row that fits is on the screen or next to it. */
  readonly shows: (fits: (row: Row) => boolean) => boolean;
  /**
   * Rows that changed by themselves: `next` gives a row's successor, or undefined for one that stays. Order and total
   * stay.
   */
  readonly patch: (next: (row: Row) => Row | undefined) => void;
  /** Ends all requests. What is visible later is asked for again: React mounts everything twice while developing. */
  readonly dispose: () => void;
}

/** What a request brought: rows and total, or an error. */
type Answer<Row> = (FetchedPage<Row> & { error: undefined }) | { rows: undefined; total: undefined; error: unknown };

const PAGE_SIZE = 100;
const MAX_PAGES = 40;
const CONCURRENCY = 3;

/** A source over a list that is fetched in pages: what is visible now first, then its neighbours, nothing else. */
export function createPagedSource<Row>(options: PagedSourceOptions<Row>): PagedSource<Row> {
  const { pageSize = PAGE_SIZE, maxPages = MAX_PAGES, concurrency = CONCURRENCY, onError } = options;
  const cache = createPageCache<Row>(maxPages);
  const listeners = new Set<() => void>();
  const running = new Map<number, AbortController>();
  /** Answers that wait, so that everything visible changes at once. */
  const staged = new Map<number, Answer<Row>>();
  let fetchPage = options.fetchPage;
  let total: number | undefined;
  let version = 0;
  let generation = 0;
  let first = 0;
  let last = 0;
  let replaced = false;
  let invalidatedAgain = false;

  const changed = () => {
    version++;
    for (const listener of listeners) listener();
  };
  const isVisible = (page: number) => page >= first && page <= last;
  const isSettled = (page: number) => staged.has(page) || cache.get(page)?.generation === generation;
  const exists = (page: number) =>
    page >= 0 && (page === 0 || total === undefined || replaced || page * pageSize < total);

  /** Pages worth having, most wanted first: what is visible now, then one on either side. */
  function* wanted() {
    for (let page = first; page <= last; page++) if (exists(page)) yield page;
    // Before the first answer nobody knows whether there are neighbours.
    if (total === undefined || replaced) return;
    for (const page of [last + 1, first - 1]) if (exists(page)) yield page;
  }

  function pump() {
    const pages = [...wanted()];
    for (const [page, abort] of running) {
      if (pages.includes(page)) continue;
      running.delete(page);
      abort.abort();
    }
    for (const page of pages) {
      if (running.size >= concurrency) return;
      if (!isSettled(page) && !running.has(page)) void run(page);
    }
  }

  async function run(page: number) {
    const abort = new AbortController();
    running.set(page, abort);
    let answer: Answer<Row>;
    try {
      answer = { ...(await fetchPage(page, pageSize, abort.signal)), error: undefined };
    } catch (reason) {
      answer = { rows: undefined, total: undefined, error: reason ?? new Error('The page could not be fetched.') };
    }
    if (abort.signal.aborted) return;
    running.delete(page);
    staged.set(page, answer);
    if (answer.error !== undefined) onError?.(answer.error);
    settle();
    pump();
    catchUp();
  }

  /** Shows what has arrived, unless rows on the screen would then be of two generations. */
  function settle() {
    let pending = false;
    let standing = replaced;
    for (let page = first; page <= last; page++) {
      if (!exists(page)) continue;
      const here = cache.get(page);
      if (!isSettled(page)) pending = true;
      if (here?.rows && here.generation !== generation) standing = true;
    }
    if (pending && standing) return;
    if (replaced) {
      cache.clear();
      total = undefined;
      replaced = false;
    }
    for (const [page, { rows, error, ...answer }] of staged) {
      total = answer.total ?? total;
      cache.set(page, { rows: rows ?? cache.get(page)?.rows, error, generation }, isVisible);
    }
    staged.clear();
    changed();
  }

  /** Shows answers that wait for nothing on the screen any more, and asks again for what changed meanwhile. */
  function catchUp() {
    if (staged.size > 0) settle();
    if (invalidatedAgain) invalidate();
  }

  function abandon() {
    for (const abort of running.values()) abort.abort();
    running.clear();
    staged.clear();
    invalidatedAgain = false;
  }

  function invalidate() {
    // Events may come faster than answers: let what is under way arrive, then ask once more.
    if (running.size > 0) {
      invalidatedAgain = true;
      return;
    }
    invalidatedAgain = false;
    generation++;
    pump();
  }

  return {
    total: () => total,
    version: () => version,
    rowAt: (index) => cache.get(Math.floor(index / pageSize))?.rows?.[index % pageSize],
    errorAt(index) {
      const page = cache.get(Math.floor(index / pageSize));
      return page?.rows ? undefined : page?.error;
    },
    request({ start, end }) {
      first = Math.max(0, Math.floor(start / pageSize));
      last = Math.max(first, Math.floor((end - 1) / pageSize));
      for (let page = first; page <= last; page++) cache.touch(page);
      pump();
      // Later, because the table is drawing when it asks.
      queueMicrotask(catchUp);
    },
    async load({ start, end }, signal = new AbortController().signal) {
      const rows: Row[] = [];
      const from = Math.floor(start / pageSize);
      for (let page = from; page * pageSize < end; page++) {
        const here = cache.get(page);
        const asked = generation;
        let found = here?.generation === generation ? here.rows : undefined;
        if (!found) {
          const fetched = await fetchPage(page, pageSize, signal);
          signal.throwIfAborted();
          found = fetched.rows;
          if (asked === generation && !isVisible(page)) {
            cache.set(page, { rows: found, error: undefined, generation }, isVisible);
          }
        }
        rows.push(...found.slice(Math.max(0, start - page * pageSize), end - page * pageSize));
      }
      return rows;
    },
    retry() {
      cache.clearErrors();
      changed();
      pump();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    invalidate,
    replace(next) {
      abandon();
      fetchPage = next;
      generation++;
      replaced = true;
      changed();
      pump();
    },
    isShown: () => version > 0 && !replaced,
    shows: (fits) => [...cache.rows()].some((rows) => rows.some(fits)),
    patch(next) {
      if (cache.map((row) => next(row) ?? row)) changed();
    },
    dispose: abandon,
  };
}
