import { describe, expect, test, vi } from 'vitest';

import { createPagedSource } from './paged-source.ts';
import { createTableModel } from './table-model.ts';
import { createArraySource } from './testkit/array-source.ts';

const letters = (text: string) => text.split('');
const selectionText = (model: ReturnType<typeof createLettersModel>['model']) => {
  const state = model.selection.state();
  return state.kind === 'ids' ? [...state.ids].sort().join('') : `all but ${[...state.except].sort().join('')}`;
};

function createLettersModel(text = 'abcdefghij') {
  const source = createArraySource(letters(text));
  const model = createTableModel({ source, rowId: (row) => row });
  model.attach({
    pageRows: () => 4,
    visibleRange: () => ({ start: 0, end: text.length }),
    reveal: () => {},
    toTop: () => {},
  });
  return { source, model };
}

describe('moving the active row', () => {
  test('stops at both ends', () => {
    const { model } = createLettersModel();
    model.move(-1);
    expect(model.active()).toBe(0);
    model.page(1);
    expect(model.active()).toBe(4);
    model.page(9);
    expect(model.activeRow()).toBe('j');
    model.home();
    model.end();
    expect(model.active()).toBe(9);
  });

  test('does nothing in an empty list', () => {
    const { model } = createLettersModel('');
    model.move(1);
    expect(model.active()).toBeUndefined();
    expect(model.activeRow()).toBeUndefined();
  });

  test('stays on the same row when the data changes', () => {
    const { source, model } = createLettersModel();
    model.activate(2);
    const listener = vi.fn<() => void>();
    model.subscribe(listener);
    source.set(letters('zyabcdefghij'));
    expect([model.active(), model.activeRow()]).toEqual([4, 'c']);
    expect(listener).toHaveBeenCalledOnce();
    source.set(letters('zyab'));
    expect(model.activeRow()).toBe('b');
  });
});

describe('the active row of a list in another order', () => {
  const hidden = { start: 0, end: 3 };
  function createLongModel(onError?: (error: unknown) => void) {
    const source = createArraySource(letters('abcdefghij'));
    let settle: { resolve: (index: number | undefined) => void; reject: (error: unknown) => void } | undefined;
    const locate = vi.fn<(id: string, signal: AbortSignal) => Promise<number | undefined>>(
      () =>
        new Promise((resolve, reject) => {
          settle = { resolve, reject };
        }),
    );
    const model = createTableModel({ source, rowId: (row) => row, locate, ...(onError ? { onError } : {}) });
    model.attach({ pageRows: () => 3, visibleRange: () => hidden, reveal: () => {}, toTop: () => {} });
    const finish = async (act: (pending: NonNullable<typeof settle>) => void): Promise<void> => {
      act(settle!);
      await new Promise((endTask) => setTimeout(endTask));
    };
    model.activate(1);
    return { source, model, locate, finish };
  }

  test('follows its item out of sight, and is that item while its place is unknown', async () => {
    const { source, model, locate, finish } = createLongModel();
    source.set(letters('acdefghibj'));
    expect(model.activeRow()).toBe('b');
    // Another refresh doesn't restart the search.
    source.set(letters('acdefghibj'));
    expect(locate).toHaveBeenCalledOnce();
    await finish(({ resolve }) => resolve(8));
    expect([model.active(), model.activeRow()]).toEqual([8, 'b']);
    source.set(letters('bacdefghij'));
    expect([model.active(), model.activeRow()]).toEqual([0, 'b']);
  });

  test('stays in sight in a live list until the user moves, or changes its item', async () => {
    const source = createArraySource(letters('abcdefghij'));
    const locate = vi.fn<() => Promise<number | undefined>>(async () => 8);
    const model = createTableModel({ source, rowId: (row) => row, locate });
    model.attach({ pageRows: () => 3, visibleRange: () => hidden, reveal: () => {}, toTop: () => {} });
    source.set(letters('vwxyzabcde'));
    expect([model.activeRow(), locate.mock.calls.length]).toEqual(['v', 0]);
    model.pin();
    source.set(letters('qrstuwxyvz'));
    await vi.waitFor(() => expect([model.active(), model.activeRow()]).toEqual([8, 'v']));
    model.reset();
    source.set(letters('abcdefghij'));
    source.set(letters('vwxyzabcde'));
    expect([model.activeRow(), locate.mock.calls.length]).toEqual(['v', 1]);
  });

  test('stays in its place if its item leaves the list', async () => {
    const { source, model, finish } = createLongModel();
    source.set(letters('acdefghij'));
    await finish(({ resolve }) => resolve(undefined));
    expect([model.active(), model.activeRow()]).toEqual([1, 'c']);
    source.set([]);
    expect([model.active(), model.activeRow()]).toEqual([undefined, undefined]);
  });

  test('searches again if the list changes during the search', async () => {
    const { source, model, locate, finish } = createLongModel();
    source.set(letters('acdefghibj'));
    source.set(letters('acdefghijb'));
    await finish(({ resolve }) => resolve(8));
    expect([locate.mock.calls.length, model.activeRow()]).toEqual([2, 'b']);
    await finish(({ resolve }) => resolve(9));
    expect([model.active(), model.activeRow()]).toEqual([9, 'b']);
  });

  test('no longer follows once the user moves, or opens another list', async () => {
    for (const leave of ['move', 'reset'] as const) {
      const { source, model, locate, finish } = createLongModel();
      source.set(letters('acdefghibj'));
      if (leave === 'move') model.move(1);
      else model.reset();
      expect(locate.mock.calls[0]?.[1].aborted).toBe(true);
      await finish(({ resolve }) => resolve(8));
      expect(model.activeRow()).toBe(leave === 'move' ? 'd' : 'a');
    }
  });

  test('stays the same item if the search fails, and the next change searches again', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const { source, model, locate, finish } = createLongModel(onError);
    source.set(letters('acdefghibj'));
    await finish(({ reject }) => reject(new Error('offline')));
    expect([onError.mock.calls.length, model.activeRow()]).toEqual([1, 'b']);
    source.set(letters('acdefghibj'));
    expect(locate).toHaveBeenCalledTimes(2);
  });
});

describe('selecting rows', () => {
  test('toggles the active row', () => {
    const { model } = createLettersModel();
    model.toggle();
    model.move(3);
    model.toggle();
    expect(selectionText(model)).toBe('ad');
    model.toggle();
    expect(selectionText(model)).toBe('a');
  });

  test('extends from the anchor in both directions', async () => {
    const { model } = createLettersModel();
    model.activate(3);
    await model.extend(1);
    await model.extend(1);
    expect([selectionText(model), model.active()]).toEqual(['def', 5]);
    await model.extend(-1);
    expect(selectionText(model)).toBe('de');
    await model.extendTo(1);
    expect(selectionText(model)).toBe('bcd');
  });

  test('starts a new range after the active row has moved', async () => {
    const { model } = createLettersModel();
    await model.extend(1);
    model.activate(8);
    await model.extend(1);
    expect(selectionText(model)).toBe('abij');
  });

  test('selects all rows and adds exceptions back with a range', async () => {
    const { model } = createLettersModel();
    model.selectAll();
    model.toggle(2);
    expect(selectionText(model)).toBe('all but c');
    model.activate(1);
    await model.extend(2);
    expect(selectionText(model)).toBe('all but ');
    model.clearSelection();
    expect(model.selection.count(10)).toBe(0);
  });

  test("extends across rows that aren't loaded", async () => {
    const source = createPagedSource({
      pageSize: 10,
      fetchPage: async (page) => ({ total: 100, rows: Array.from({ length: 10 }, (_, i) => `row ${page * 10 + i}`) }),
    });
    source.request({ start: 0, end: 5 });
    await vi.waitFor(() => expect(source.total()).toBe(100));
    const model = createTableModel({ source, rowId: (row) => row });
    await model.extendTo(59);
    expect(model.selection.count(100)).toBe(60);
    expect(model.selection.has('row 42')).toBe(true);
  });
});

test('resets the active row and the selection for a new list', () => {
  const { model } = createLettersModel();
  model.end();
  model.selectAll();
  model.reset();
  expect([model.active(), model.selection.count(10)]).toEqual([0, 0]);
});
