import { describe, expect, test } from 'vitest';

import { createPagedSource } from './paged-source.ts';
import { SIZE, createPage, createSource, nextTask } from './testkit/paged-source.ts';

describe('fetching', () => {
  test('requests visible pages once, then their neighbors', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    source.request({ start: 0, end: 6 });
    expect(pages()).toEqual([0]);
    expect(source.total()).toBeUndefined();
    await pending(0).respond(createPage(0, 'a'));
    expect(source.total()).toBe(100);
    expect(source.rowAt(9)).toBe('a 9');
    expect(source.rowAt(10)).toBeUndefined();
    expect(pages()).toEqual([0, 1]);
  });

  test('aborts requests for pages scrolled out of view and requests the newest first', async () => {
    const { source, requests, pending } = createSource({ concurrency: 1 });
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a', 10_000));
    source.request({ start: 500, end: 505 });
    source.request({ start: 9000, end: 9005 });
    expect(requests.find((item) => item.page === 50)?.signal.aborted).toBe(true);
    await pending(900).respond(createPage(900, 'a', 10_000));
    expect(source.rowAt(9000)).toBe('a 9000');
    expect(source.rowAt(500)).toBeUndefined();
  });

  test('ignores the response to an aborted request', async () => {
    const { source, requests, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a'));
    source.request({ start: 50, end: 55 });
    const abortedRequest = requests.find((item) => item.page === 5);
    source.request({ start: 0, end: 5 });
    const before = source.version();
    await abortedRequest?.respond(createPage(5, 'late'));
    expect(source.rowAt(50)).toBeUndefined();
    expect(source.version()).toBe(before);
  });

  test('keeps a limited number of pages, always including the visible pages', async () => {
    const { source, pending } = createSource({ maxPages: 3 });
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a'));
    for (const page of [2, 4, 6, 8]) {
      source.request({ start: page * SIZE, end: page * SIZE + 5 });
      await pending(page).respond(createPage(page, 'a'));
    }
    expect(source.rowAt(80)).toBe('a 80');
    expect(source.rowAt(0)).toBeUndefined();
  });

  test('loads a range of pages that were never visible', async () => {
    const source = createPagedSource({ pageSize: SIZE, fetchPage: async (page) => createPage(page, 'a') });
    expect(await source.load({ start: 8, end: 23 })).toEqual(Array.from({ length: 15 }, (_, i) => `a ${8 + i}`));
  });
});

describe('defaults', () => {
  test('are 100 rows per page, three concurrent requests, and 40 cached pages', async () => {
    const sizes = new Set<number>();
    const runningPages = new Set<number>();
    let maxConcurrent = 0;
    const source = createPagedSource<string>({
      fetchPage: async (page, size) => {
        sizes.add(size);
        maxConcurrent = Math.max(maxConcurrent, runningPages.add(page).size);
        await nextTask();
        runningPages.delete(page);
        return { total: 10_000, rows: Array.from({ length: size }, (_, i) => `a ${page * size + i}`) };
      },
    });
    source.request({ start: 0, end: 500 });
    for (let page = 0; page < 60; page++) {
      source.request({ start: page * 100, end: page * 100 + 500 });
      while (runningPages.size > 0) await nextTask();
    }
    const cachedRows = Array.from({ length: 100 }, (_, page) => source.rowAt(page * 100)).filter(Boolean);
    expect([[...sizes], maxConcurrent, cachedRows.length]).toEqual([[100], 3, 40]);
  });
});

describe('requested pages', () => {
  test('cover the range, within the list', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 10 });
    expect(pages()).toEqual([0]);
    source.request({ start: 5, end: 11 });
    expect(pages()).toEqual([0, 1]);
    await pending(0).respond(createPage(0, 'a', 40));
    await pending(1).respond(createPage(1, 'a', 40));
    await pending(2).respond(createPage(2, 'a', 40));
    source.request({ start: 35, end: 65 });
    expect(pages()).toEqual([0, 1, 2, 3]);
    expect(source.errorAt(99)).toBeUndefined();
  });

  test('start at the first page if the range starts before the list', () => {
    const { source, pages } = createSource();
    source.request({ start: -5, end: 5 });
    expect(pages()).toEqual([0]);
  });

  test('follow both ends of the range', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 20, end: 45 });
    for (const page of [2, 3, 4, 5, 1]) await pending(page).respond(createPage(page, 'a'));
    source.request({ start: 10, end: 45 });
    expect(pages().slice(5)).toEqual([0]);
  });

  test('load with limited concurrency', async () => {
    const { source, pages, pending } = createSource({ concurrency: 2 });
    source.request({ start: 0, end: 40 });
    expect(pages()).toEqual([0, 1]);
    await pending(0).respond(createPage(0, 'a'));
    expect(pages()).toEqual([0, 1, 2]);
  });

  test('are kept while visible, even above the limit', async () => {
    const { source, pending } = createSource({ maxPages: 1 });
    source.request({ start: 5, end: 15 });
    await pending(0).respond(createPage(0, 'a'));
    await pending(1).respond(createPage(1, 'a'));
    expect([source.rowAt(0), source.rowAt(10)]).toEqual(['a 0', 'a 10']);
  });

  test('are evicted in LRU order', async () => {
    const { source, pending } = createSource({ maxPages: 3 });
    for (const page of [8, 6, 4, 8, 2]) {
      source.request({ start: page * SIZE, end: page * SIZE + 5 });
      if (source.rowAt(page * SIZE) === undefined) await pending(page).respond(createPage(page, 'a'));
    }
    expect([80, 60, 40, 20].map(source.rowAt)).toEqual(['a 80', undefined, 'a 40', 'a 20']);
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a'));
    expect([80, 40, 20, 0].map(source.rowAt)).toEqual(['a 80', undefined, 'a 20', 'a 0']);
  });
});

describe('loading a range', () => {
  test('requests each page once and reuses it later', async () => {
    const requestedPages: number[] = [];
    const source = createPagedSource({
      pageSize: SIZE,
      fetchPage: async (page) => {
        requestedPages.push(page);
        return createPage(page, 'a');
      },
    });
    expect(await source.load({ start: 15, end: 30 })).toHaveLength(15);
    await source.load({ start: 15, end: 30 });
    expect(requestedPages).toEqual([1, 2]);
    source.request({ start: 15, end: 30 });
    expect(requestedPages).toEqual([1, 2]);
    expect(source.rowAt(20)).toBe('a 20');
  });

  test('rejects when aborted', async () => {
    const { source, pending } = createSource();
    const controller = new AbortController();
    const loading = source.load({ start: 0, end: 5 }, controller.signal);
    const latePage = pending(0);
    controller.abort(new Error('aborted'));
    void latePage.respond(createPage(0, 'a'));
    await expect(loading).rejects.toThrow('aborted');
  });

  test('does not change visible rows', async () => {
    const { source, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old', 5));
    source.invalidate();
    const loading = source.load({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'new', 5));
    expect((await loading)[0]).toBe('new 0');
    expect(source.rowAt(0)).toBe('old 0');
  });
});

describe('partially loaded pages', () => {
  test('are shown as they arrive in an empty table', async () => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 15 });
    await pending(0).respond(createPage(0, 'a'));
    expect(source.isShown()).toBe(true);
    expect([source.rowAt(5), source.rowAt(12)]).toEqual(['a 5', undefined]);
    source.request({ start: 5, end: 25 });
    await pending(1).respond(createPage(1, 'a'));
    expect([source.rowAt(12), source.rowAt(22)]).toEqual(['a 12', undefined]);
  });

  test('are not requested after the end of the list, even if the last page is full', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 10, end: 15 });
    await pending(1).respond(createPage(1, 'a', 20));
    await pending(0).respond(createPage(0, 'a', 20));
    expect(pages()).toEqual([1, 0]);
  });

  test('reload if they were loaded before a change', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old'));
    await pending(1).respond(createPage(1, 'old'));
    const loading = source.load({ start: 40, end: 45 });
    const latePage = pending(4);
    source.invalidate();
    await pending(0).respond(createPage(0, 'new'));
    await pending(1).respond(createPage(1, 'new'));
    await latePage.respond(createPage(4, 'old'));
    expect((await loading)[0]).toBe('old 40');
    source.request({ start: 40, end: 45 });
    expect(pages().filter((page) => page === 4)).toHaveLength(2);
    await pending(4).respond(createPage(4, 'new'));
    expect(source.rowAt(40)).toBe('new 40');
  });
});

describe('page errors', () => {
  test('belong to their page and are retried only on request', async () => {
    const { source, errors, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a'));
    const failure = new Error('unavailable');
    await pending(1).fail(failure);
    expect(source.errorAt(12)).toBe(failure);
    expect(source.errorAt(2)).toBeUndefined();
    expect(errors).toEqual([failure]);
    expect(source.total()).toBe(100);
    source.request({ start: 10, end: 15 });
    expect(pages().filter((page) => page === 1)).toHaveLength(1);
    const version = source.version();
    source.retry();
    expect(source.errorAt(12)).toBeUndefined();
    expect(source.version()).toBeGreaterThan(version);
    await pending(1).respond(createPage(1, 'a'));
    expect(source.errorAt(12)).toBeUndefined();
    expect(source.rowAt(12)).toBe('a 12');
  });

  test('mark the page as failed even if the error is undefined', async () => {
    const { source, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).fail(undefined);
    expect(source.errorAt(0)).toBeInstanceOf(Error);
  });
});
