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
