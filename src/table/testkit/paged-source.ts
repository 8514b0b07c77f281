import { createPagedSource, type FetchedPage } from '../paged-source.ts';

export interface PageRequest {
  readonly page: number;
  readonly signal: AbortSignal;
  readonly respond: (result: FetchedPage<string>) => Promise<void>;
  readonly fail: (error: unknown) => Promise<void>;
}

export const SIZE = 10;

/** Creates a page with the rows `label 0`, `label 1` … of a list of `total` rows. */
export function createPage(page: number, label: string, total = 100): FetchedPage<string> {
  const start = page * SIZE;
  return {
    total,
    rows: Array.from({ length: Math.max(0, Math.min(SIZE, total - start)) }, (_, i) => `${label} ${start + i}`),
  };
}

/** Creates a source whose requests wait for the test to respond. */
export function createSource(options: { maxPages?: number; concurrency?: number } = {}) {
  const requests: PageRequest[] = [];
  const errors: unknown[] = [];
  const fetchPage = (page: number, _size: number, signal: AbortSignal) =>
    new Promise<FetchedPage<string>>((resolve, reject) => {
      const settle = async (act: () => void) => {
        act();
        await new Promise((endTask) => setTimeout(endTask));
      };
      requests.push({
        page,
        signal,
        respond: (result) => settle(() => resolve(result)),
        fail: (error) => settle(() => reject(error)),
      });
    });
  const source = createPagedSource<string>({
    fetchPage,
    pageSize: SIZE,
    onError: (error) => errors.push(error),
    ...options,
  });
  /** Returns the pending request for a page. */
  const pending = (page: number) => {
    const last = requests.findLast((item) => item.page === page && !item.signal.aborted);
    if (!last) throw new Error(`Page ${page} was not requested.`);
    return last;
  };
  const pages = () => requests.map((item) => item.page);
  return { source, requests, errors, pending, pages, fetchPage };
}

/** Lets deferred work run. */
export const nextTask = () => new Promise((resolve) => setTimeout(resolve));
