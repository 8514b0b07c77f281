import { describe, expect, it, vi } from 'vitest';
import { createPagedSource, type FetchedPage } from './paged-source.ts';

interface Asked {
  page: number;
  signal: AbortSignal;
  answer: (result: FetchedPage<string>) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}

const SIZE = 10;

/** Rows `label 0`, `label 1` … of a page, of `total`. */
function pageOf(page: number, label: string, total = 100): FetchedPage<string> {
  const start = page * SIZE;
  return {
    total,
    rows: Array.from({ length: Math.max(0, Math.min(SIZE, total - start)) }, (_, i) => `${label} ${start + i}`),
  };
}

/** A source whose requests wait until the test answers them. */
function createSource(options: { maxPages?: number; concurrency?: number } = {}) {
  const asked: Asked[] = [];
  const errors: unknown[] = [];
  const fetchPage = (page: number, _size: number, signal: AbortSignal) =>
    new Promise<FetchedPage<string>>((resolve, reject) => {
      const settle = async (act: () => void) => {
        act();
        await new Promise((done) => setTimeout(done));
      };
      asked.push({
        page,
        signal,
        answer: (result) => settle(() => resolve(result)),
        fail: (error) => settle(() => reject(error)),
      });
    });
  const source = createPagedSource<string>({
    fetchPage,
    pageSize: SIZE,
    onError: (error) => errors.push(error),
    ...options,
  });
  /** Pages asked for and neither answered nor aborted, in order. */
  const pending = (page: number) => {
    const last = asked.findLast((one) => one.page === page && !one.signal.aborted);
    if (!last) throw new Error(`Page ${page} was not asked for.`);
    return last;
  };
  const pages = () => asked.map((one) => one.page);
  return { source, asked, errors, pending, pages, fetchPage };
}

describe('fetching', () => {
  it('asks for what is visible once, then for its neighbours', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    source.request({ start: 0, end: 6 });
    expect(pages()).toEqual([0]);
    expect(source.total()).toBeUndefined();
    await pending(0).answer(pageOf(0, 'a'));
    expect(source.total()).toBe(100);
    expect(source.rowAt(9)).toBe('a 9');
    expect(source.rowAt(10)).toBeUndefined();
    expect(pages()).toEqual([0, 1]);
  });

  it('leaves pages that scrolled away and takes the newest first', async () => {
    const { source, asked, pending } = createSource({ concurrency: 1 });
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a', 10_000));
    source.request({ start: 500, end: 505 });
    source.request({ start: 9_000, end: 9_005 });
    expect(asked.find((one) => one.page === 50)?.signal.aborted).toBe(true);
    await pending(900).answer(pageOf(900, 'a', 10_000));
    expect(source.rowAt(9_000)).toBe('a 9000');
    expect(source.rowAt(500)).toBeUndefined();
  });

  it('ignores the answer of a request that it gave up', async () => {
    const { source, asked, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a'));
    source.request({ start: 50, end: 55 });
    const given = asked.find((one) => one.page === 5);
    source.request({ start: 0, end: 5 });
    const before = source.version();
    await given?.answer(pageOf(5, 'late'));
    expect(source.rowAt(50)).toBeUndefined();
    expect(source.version()).toBe(before);
  });

  it('keeps a bounded number of pages, never dropping the visible ones', async () => {
    const { source, pending } = createSource({ maxPages: 3 });
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a'));
    for (const page of [2, 4, 6, 8]) {
      source.request({ start: page * SIZE, end: page * SIZE + 5 });
      await pending(page).answer(pageOf(page, 'a'));
    }
    expect(source.rowAt(80)).toBe('a 80');
    expect(source.rowAt(0)).toBeUndefined();
  });

  it('loads a range across pages that were never visible', async () => {
    const source = createPagedSource({ pageSize: SIZE, fetchPage: async (page) => pageOf(page, 'a') });
    expect(await source.load({ start: 8, end: 23 })).toEqual(Array.from({ length: 15 }, (_, i) => `a ${8 + i}`));
  });
});

describe('what arrives in parts', () => {
  it('is shown as it comes, where nothing stood before', async () => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 15 });
    await pending(0).answer(pageOf(0, 'a'));
    expect([source.rowAt(5), source.rowAt(12)]).toEqual(['a 5', undefined]);
  });

  it('ends with the total: no page is asked for behind a last one that is full', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 10, end: 15 });
    await pending(1).answer(pageOf(1, 'a', 20));
    await pending(0).answer(pageOf(0, 'a', 20));
    expect(pages()).toEqual([1, 0]);
  });

  it('is asked for again where a range was loaded before a change and arrives after it', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'old'));
    await pending(1).answer(pageOf(1, 'old'));
    const loaded = source.load({ start: 40, end: 45 });
    const late = pending(4);
    source.invalidate();
    await pending(0).answer(pageOf(0, 'new'));
    await pending(1).answer(pageOf(1, 'new'));
    await late.answer(pageOf(4, 'old'));
    expect((await loaded)[0]).toBe('old 40');
    source.request({ start: 40, end: 45 });
    expect(pages().filter((page) => page === 4)).toHaveLength(2);
    await pending(4).answer(pageOf(4, 'new'));
    expect(source.rowAt(40)).toBe('new 40');
  });
});

describe('errors', () => {
  it('belong to their page, and are asked again on retry only', async () => {
    const { source, errors, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a'));
    const failure = new Error('unavailable');
    await pending(1).fail(failure);
    expect(source.errorAt(12)).toBe(failure);
    expect(source.errorAt(2)).toBeUndefined();
    expect(errors).toEqual([failure]);
    source.request({ start: 10, end: 15 });
    expect(pages().filter((page) => page === 1)).toHaveLength(1);
    source.retry();
    await pending(1).answer(pageOf(1, 'a'));
    expect(source.errorAt(12)).toBeUndefined();
    expect(source.rowAt(12)).toBe('a 12');
  });
});

describe('changing data', () => {
  it('keeps the old rows until all that is visible has arrived, and then changes once', async () => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 15 });
    await pending(0).answer(pageOf(0, 'old'));
    await pending(1).answer(pageOf(1, 'old'));
    await pending(2).answer(pageOf(2, 'old'));
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    source.invalidate();
    await pending(1).answer(pageOf(1, 'new', 90));
    expect(source.rowAt(5)).toBe('old 5');
    expect(source.rowAt(12)).toBe('old 12');
    expect(listener).not.toHaveBeenCalled();
    await pending(0).answer(pageOf(0, 'new', 90));
    expect([source.rowAt(5), source.rowAt(12), source.total()]).toEqual(['new 5', 'new 12', 90]);
    expect(listener).toHaveBeenCalledOnce();
  });

  it('asks once more for changes that came while it was asking, however many', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a', 5));
    source.invalidate();
    source.invalidate();
    source.invalidate();
    expect(pages()).toEqual([0, 0]);
    await pending(0).answer(pageOf(0, 'b', 5));
    expect(pages()).toEqual([0, 0, 0]);
    await pending(0).answer(pageOf(0, 'c', 5));
    expect(source.rowAt(0)).toBe('c 0');
    expect(pages()).toEqual([0, 0, 0]);
  });

  it('keeps old rows where the new could not be fetched', async () => {
    const { source, errors, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'old', 5));
    source.invalidate();
    await pending(0).fail(new Error('unavailable'));
    expect(source.rowAt(0)).toBe('old 0');
    expect(source.errorAt(0)).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  it('shows another list when it is here, and nothing of the one before', async () => {
    const { source, pending, fetchPage } = createSource();
    expect(source.isShown()).toBe(false);
    source.request({ start: 0, end: 15 });
    await pending(0).answer(pageOf(0, 'old'));
    await pending(1).answer(pageOf(1, 'old'));
    expect(source.isShown()).toBe(true);
    source.replace(fetchPage);
    expect([source.rowAt(0), source.isShown()]).toEqual(['old 0', false]);
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'new', 30));
    expect(source.isShown()).toBe(true);
    expect(source.rowAt(0)).toBe('new 0');
    expect(source.rowAt(12)).toBeUndefined();
    expect(source.total()).toBe(30);
  });

  it('says why another list could not be fetched', async () => {
    const { source, pending, fetchPage } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'old', 5));
    source.replace(fetchPage);
    const failure = new Error('invalid filter');
    await pending(0).fail(failure);
    expect(source.isShown()).toBe(true);
    expect([source.total(), source.rowAt(0), source.errorAt(0)]).toEqual([undefined, undefined, failure]);
  });

  it('shows nothing that arrives after it was disposed of, and goes on when it is shown again', async () => {
    const { source, asked, pending } = createSource();
    source.request({ start: 0, end: 5 });
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    const first = pending(0);
    source.dispose();
    expect(asked[0]?.signal.aborted).toBe(true);
    await first.answer(pageOf(0, 'a'));
    expect(listener).not.toHaveBeenCalled();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'b'));
    expect(source.rowAt(0)).toBe('b 0');
  });

  it('puts successors where rows stand, and leaves the order alone', async () => {
    const { source, pending, pages } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).answer(pageOf(0, 'a', 5));
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    expect(source.shows((row) => row === 'a 3')).toBe(true);
    source.patch((row) => (row === 'a 3' ? 'changed 3' : undefined));
    expect([source.rowAt(3), source.rowAt(4)]).toEqual(['changed 3', 'a 4']);
    source.patch(() => undefined);
    expect(listener).toHaveBeenCalledOnce();
    expect(pages()).toEqual([0]);
  });
});
