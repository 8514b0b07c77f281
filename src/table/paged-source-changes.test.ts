import { describe, expect, test, vi } from 'vitest';

import type { FetchedPage } from './paged-source.ts';
import { createPage, createSource, nextTask } from './testkit/paged-source.ts';

describe('changing data', () => {
  test.each([
    ['the first page', 0, 1],
    ['the last page', 1, 0],
  ])('waits for all visible pages if %s arrives first', async (_, firstAnswer, secondAnswer) => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 15 });
    for (const page of [0, 1, 2]) await pending(page).respond(createPage(page, 'old'));
    source.invalidate();
    await pending(firstAnswer).respond(createPage(firstAnswer, 'new'));
    expect([source.rowAt(5), source.rowAt(12)]).toEqual(['old 5', 'old 12']);
    await pending(secondAnswer).respond(createPage(secondAnswer, 'new'));
    expect([source.rowAt(5), source.rowAt(12)]).toEqual(['new 5', 'new 12']);
  });

  test('does not wait for pages after the end', async () => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 35 });
    await pending(0).respond(createPage(0, 'old', 12));
    await pending(1).respond(createPage(1, 'old', 12));
    source.invalidate();
    await pending(0).respond(createPage(0, 'new', 12));
    await pending(1).respond(createPage(1, 'new', 12));
    expect([source.rowAt(0), source.rowAt(11)]).toEqual(['new 0', 'new 11']);
  });

  test('applies staged rows when the page that they were waiting for scrolls out of view', async () => {
    const { source, pending } = createSource();
    source.request({ start: 300, end: 315 });
    await pending(30).respond(createPage(30, 'old', 1000));
    await pending(31).respond(createPage(31, 'old', 1000));
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old', 1000));
    await pending(1).respond(createPage(1, 'old', 1000));
    source.invalidate();
    await pending(0).respond(createPage(0, 'new', 1000));
    await pending(1).respond(createPage(1, 'new', 1000));
    source.request({ start: 300, end: 315 });
    await pending(30).respond(createPage(30, 'new', 1000));
    expect(source.rowAt(300)).toBe('old 300');
    source.request({ start: 0, end: 5 });
    await nextTask();
    expect(source.rowAt(300)).toBe('new 300');
  });

  test('reloads a page whose data changed while out of view, without an early update', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a'));
    await pending(1).respond(createPage(1, 'a'));
    source.request({ start: 50, end: 55 });
    source.invalidate();
    const version = source.version();
    source.request({ start: 0, end: 5 });
    expect(pages().filter((page) => page === 0)).toHaveLength(1);
    await nextTask();
    expect(pages().filter((page) => page === 0)).toHaveLength(2);
    expect(source.version()).toBe(version);
  });

  test('discards pending pages when the list is replaced', async () => {
    const { source, requests, pages, pending } = createSource();
    source.request({ start: 5, end: 15 });
    for (const page of [0, 1, 2]) await pending(page).respond(createPage(page, 'old'));
    source.invalidate();
    source.invalidate();
    await pending(1).respond(createPage(1, 'stale'));
    const stale = pending(0);
    const resolvers = new Map<number, (result: FetchedPage<string>) => void>();
    const newRequests: number[] = [];
    source.replace((page) => {
      newRequests.push(page);
      return new Promise((resolve) => void resolvers.set(page, resolve));
    });
    expect(requests.every(({ signal }) => signal.aborted || signal !== stale.signal)).toBe(true);
    source.request({ start: 0, end: 5 });
    await stale.respond(createPage(0, 'stale'));
    expect([source.rowAt(0), source.isShown()]).toEqual(['old 0', false]);
    resolvers.get(0)?.(createPage(0, 'other', 5));
    await nextTask();
    expect([source.rowAt(0), source.rowAt(12)]).toEqual(['other 0', undefined]);
    expect(newRequests.filter((page) => page === 0)).toHaveLength(1);
    expect(pages().filter((page) => page === 0)).toHaveLength(2);
  });

  test("requests no neighbors before the new list's total is known and ignores the old total", async () => {
    const { source, requests, pending, fetchPage } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old', 5));
    source.replace(fetchPage);
    source.request({ start: 30, end: 35 });
    expect(requests.filter(({ signal }) => !signal.aborted).map(({ page }) => page)).toEqual([0, 3]);
  });

  test('keeps old rows until all visible pages arrive and then updates once', async () => {
    const { source, pending } = createSource();
    source.request({ start: 5, end: 15 });
    await pending(0).respond(createPage(0, 'old'));
    await pending(1).respond(createPage(1, 'old'));
    await pending(2).respond(createPage(2, 'old'));
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    source.invalidate();
    await pending(1).respond(createPage(1, 'new', 90));
    expect(source.rowAt(5)).toBe('old 5');
    expect(source.rowAt(12)).toBe('old 12');
    expect(listener).not.toHaveBeenCalled();
    await pending(0).respond(createPage(0, 'new', 90));
    expect([source.rowAt(5), source.rowAt(12), source.total()]).toEqual(['new 5', 'new 12', 90]);
    expect(listener).toHaveBeenCalledOnce();
  });

  test('refetches once for any number of changes during a fetch', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a', 5));
    source.invalidate();
    source.invalidate();
    source.invalidate();
    expect(pages()).toEqual([0, 0]);
    await pending(0).respond(createPage(0, 'b', 5));
    expect(pages()).toEqual([0, 0, 0]);
    await pending(0).respond(createPage(0, 'c', 5));
    expect(source.rowAt(0)).toBe('c 0');
    expect(pages()).toEqual([0, 0, 0]);
  });

  test('refetches an empty list', async () => {
    const { source, pages, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a', 0));
    source.invalidate();
    expect(pages()).toEqual([0, 0]);
    await pending(0).respond(createPage(0, 'b', 3));
    expect(source.rowAt(2)).toBe('b 2');
  });

  test('keeps old rows if new ones fail to load', async () => {
    const { source, errors, pending } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old', 5));
    source.invalidate();
    await pending(0).fail(new Error('unavailable'));
    expect(source.rowAt(0)).toBe('old 0');
    expect(source.errorAt(0)).toBeUndefined();
    expect(errors).toHaveLength(1);
  });

  test('shows a new list once loaded, without rows from the old one', async () => {
    const { source, pending, fetchPage } = createSource();
    expect(source.isShown()).toBe(false);
    source.request({ start: 0, end: 15 });
    await pending(0).respond(createPage(0, 'old'));
    await pending(1).respond(createPage(1, 'old'));
    expect(source.isShown()).toBe(true);
    const seen: boolean[] = [];
    const stop = source.subscribe(() => seen.push(source.isShown()));
    source.replace(fetchPage);
    stop();
    expect([source.rowAt(0), source.isShown(), seen]).toEqual(['old 0', false, [false]]);
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'new', 30));
    expect(source.isShown()).toBe(true);
    expect(source.rowAt(0)).toBe('new 0');
    expect(source.rowAt(12)).toBeUndefined();
    expect(source.total()).toBe(30);
  });

  test('reports why a new list failed to load', async () => {
    const { source, pending, fetchPage } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'old', 5));
    source.replace(fetchPage);
    const failure = new Error('invalid filter');
    await pending(0).fail(failure);
    expect(source.isShown()).toBe(true);
    expect([source.total(), source.rowAt(0), source.errorAt(0)]).toEqual([undefined, undefined, failure]);
  });

  test('ignores responses after disposal and resumes when shown again', async () => {
    const { source, requests, pending } = createSource();
    source.request({ start: 0, end: 5 });
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    const first = pending(0);
    source.dispose();
    expect(requests[0]?.signal.aborted).toBe(true);
    await first.respond(createPage(0, 'a'));
    expect(listener).not.toHaveBeenCalled();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'b', 5));
    expect(source.rowAt(0)).toBe('b 0');
    source.invalidate();
    source.dispose();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'c', 5));
    expect(source.rowAt(0)).toBe('c 0');
  });

  test('patches rows in place without changing the order', async () => {
    const { source, pending, pages } = createSource();
    source.request({ start: 0, end: 5 });
    await pending(0).respond(createPage(0, 'a', 5));
    const listener = vi.fn<() => void>();
    source.subscribe(listener);
    expect(source.findRows((row) => row === 'a 3' || row === 'a 5')).toEqual(['a 3']);
    source.patch((row) => (row === 'a 3' ? 'changed 3' : undefined));
    expect([source.rowAt(3), source.rowAt(4)]).toEqual(['changed 3', 'a 4']);
    source.patch(() => undefined);
    expect(listener).toHaveBeenCalledOnce();
    expect(pages()).toEqual([0]);
  });
});
