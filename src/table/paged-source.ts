import { createPageCache } from './page-cache.ts';
import type { RowSource } from './row-source.ts';

export interface FetchedPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Requests rows `page * size` up to `(page + 1) * size`. Should stop when the signal aborts. */
export type FetchPage<Row> = (page: number, size: number, signal: AbortSignal) => Promise<FetchedPage<Row>>;

interface PagedSourceOptions<Row> {
  readonly fetchPage: FetchPage<Row>;
  readonly pageSize?: number;
  /** Maximum number of pages kept in memory. */
  readonly maxPages?: number;
  /** Maximum number of concurrent requests. */
  readonly concurrency?: number;
  /** Called for every failed request, even if stale rows remain visible. */
  readonly onError?: (error: unknown) => void;
}

export interface PagedSource<Row> extends RowSource<Row> {
  /** Reloads the visible pages because data changed. The old rows stay until all new ones can be shown together. */
  readonly invalidate: () => void;
  /** Switches to another list (a new filter or sort). The old rows stay until the new ones arrive. */
  readonly replace: (fetchPage: FetchPage<Row>) => void;
  /** Returns the loaded rows that match. */
  readonly findRows: (matches: (row: Row) => boolean) => readonly Row[];
  /**
   * Updates individual rows. `next` returns the replacement for a row, or undefined to keep it. Order and total stay
   * the same.
   */
  readonly patch: (next: (row: Row) => Row | undefined) => void;
  /** Aborts all requests. The source stays usable afterwards because React mounts twice in development. */
  readonly dispose: () => void;
}

/** The result of a request: rows and total, or an error. */
type PageResult<Row> =
  | (FetchedPage<Row> & { error: undefined })
  | { rows: undefined; total: undefined; error: unknown };

const PAGE_SIZE = 100;
const MAX_PAGES = 40;
const CONCURRENCY = 3;

/** Creates a source for a list that loads in pages: the visible ones first, then their neighbors, and nothing else. */
export function createPagedSource<Row>(options: PagedSourceOptions<Row>): PagedSource<Row> {
  const { pageSize = PAGE_SIZE, maxPages = MAX_PAGES, concurrency = CONCURRENCY, onError } = options;
  const cache = createPageCache<Row>(maxPages);
  const listeners = new Set<() => void>();
  const runningRequests = new Map<number, AbortController>();
  /** Results held back until all visible rows can change together. */
  const staged = new Map<number, PageResult<Row>>();
  let fetchPage = options.fetchPage;
  let total: number | undefined;
  let version = 0;
  let generation = 0;
  let firstPage = 0;
  let lastPage = 0;
  let isReplacing = false;
  let invalidatedAgain = false;

  const notify = () => {
    version++;
    for (const listener of listeners) listener();
  };
  const isVisible = (page: number) => page >= firstPage && page <= lastPage;
  const isSettled = (page: number) => staged.has(page) || cache.get(page)?.generation === generation;
  const exists = (page: number) =>
    page >= 0 && (page === 0 || total === undefined || isReplacing || page * pageSize < total);

  /** Returns the pages to load, sorted by priority: the visible ones, then one on either side. */
  function* pagesToLoad() {
    for (let page = firstPage; page <= lastPage; page++) if (exists(page)) yield page;
    // Before the first response, it is unknown whether there are neighbors.
    if (total === undefined || isReplacing) return;
    for (const page of [lastPage + 1, firstPage - 1]) if (exists(page)) yield page;
  }

  function pump() {
    const pages = [...pagesToLoad()];
    for (const [page, controller] of runningRequests) {
      if (pages.includes(page)) continue;
      runningRequests.delete(page);
      controller.abort();
    }
    for (const page of pages) {
      if (runningRequests.size >= concurrency) return;
      if (!isSettled(page) && !runningRequests.has(page)) void run(page);
    }
  }

  async function run(page: number) {
    const controller = new AbortController();
    runningRequests.set(page, controller);
    let result: PageResult<Row>;
    try {
      result = { ...(await fetchPage(page, pageSize, controller.signal)), error: undefined };
    } catch (reason) {
      result = { rows: undefined, total: undefined, error: reason ?? new Error('The page could not be fetched.') };
    }
    if (controller.signal.aborted) return;
    runningRequests.delete(page);
    staged.set(page, result);
    if (result.error !== undefined) onError?.(result.error);
    settle();
    pump();
    catchUp();
  }

  /** Shows the results, unless the visible rows would then be from two generations. */
  function settle() {
    let isPending = false;
    let hasStaleRows = isReplacing;
    for (let page = firstPage; page <= lastPage; page++) {
      if (!exists(page)) continue;
      const cachedPage = cache.get(page);
      if (!isSettled(page)) isPending = true;
      if (cachedPage?.rows && cachedPage.generation !== generation) hasStaleRows = true;
    }
    if (isPending && hasStaleRows) return;
    if (isReplacing) {
      cache.clear();
      total = undefined;
      isReplacing = false;
    }
    for (const [page, { rows, error, ...result }] of staged) {
      total = result.total ?? total;
      cache.set(page, { rows: rows ?? cache.get(page)?.rows, error, generation }, isVisible);
    }
    staged.clear();
    notify();
  }

  /** Shows results that no longer wait for visible rows, and reloads if data changed meanwhile. */
  function catchUp() {
    if (staged.size > 0) settle();
    if (invalidatedAgain) invalidate();
  }

  function abortAll() {
    for (const controller of runningRequests.values()) controller.abort();
    runningRequests.clear();
    staged.clear();
    invalidatedAgain = false;
  }

  function invalidate() {
    // Events can arrive faster than responses, so let requests in flight finish, and then reload once.
    if (runningRequests.size > 0) {
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
      firstPage = Math.max(0, Math.floor(start / pageSize));
      lastPage = Math.max(firstPage, Math.floor((end - 1) / pageSize));
      for (let page = firstPage; page <= lastPage; page++) cache.touch(page);
      pump();
      // Deferred because the table requests rows while rendering.
      queueMicrotask(catchUp);
    },
    async load({ start, end }, signal = new AbortController().signal) {
      const rows: Row[] = [];
      const from = Math.floor(start / pageSize);
      for (let page = from; page * pageSize < end; page++) {
        const cachedPage = cache.get(page);
        const requestGeneration = generation;
        let pageRows = cachedPage?.generation === generation ? cachedPage.rows : undefined;
        if (!pageRows) {
          const fetched = await fetchPage(page, pageSize, signal);
          signal.throwIfAborted();
          pageRows = fetched.rows;
          if (requestGeneration === generation && !isVisible(page)) {
            cache.set(page, { rows: pageRows, error: undefined, generation }, isVisible);
          }
        }
        rows.push(...pageRows.slice(Math.max(0, start - page * pageSize), end - page * pageSize));
      }
      return rows;
    },
    retry() {
      cache.clearErrors();
      notify();
      pump();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    invalidate,
    replace(next) {
      abortAll();
      fetchPage = next;
      generation++;
      isReplacing = true;
      notify();
      pump();
    },
    isShown: () => version > 0 && !isReplacing,
    findRows: (matches) => [...cache.rows()].flatMap((rows) => rows.filter(matches)),
    patch(next) {
      for (const [page, result] of staged) {
        if (result.rows) staged.set(page, { ...result, rows: result.rows.map((row) => next(row) ?? row) });
      }
      if (cache.map((row) => next(row) ?? row)) notify();
    },
    dispose: abortAll,
  };
}
