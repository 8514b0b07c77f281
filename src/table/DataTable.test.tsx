import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import type { Column, DrawCell } from './columns.ts';
import { DataTable } from './DataTable.tsx';
import { createPagedSource, type FetchPage } from './paged-source.ts';
import { createTableModel } from './table-model.ts';

interface Well {
  readonly id: string;
  readonly name: string;
}

const drawBold: DrawCell<Well> = (cell) => {
  const boldElement = cell.appendChild(document.createElement('b'));
  return { show: (well) => (boldElement.textContent = well?.name ?? '') };
};

const columns: readonly Column<Well>[] = [
  { id: 'number', title: 'Number', min: 80, frozen: true, sortable: true, text: (well) => well.id },
  { id: 'name', title: 'Name', min: 80, draw: drawBold },
];
const labels = { label: 'Wells', selectAll: 'Select all', select: 'Selected', rowError: String, retry: 'Retry' };
const wells =
  (total: number): FetchPage<Well> =>
  async (page, size) => ({
    total,
    rows: Array.from({ length: Math.max(0, Math.min(size, total - page * size)) }, (_, i) => ({
      id: `W${page * size + i}`,
      name: `Heron ${page * size + i}`,
    })),
  });

/** Below the head, 280 px have room for ten rows of 28 px. */
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(308);
});
afterEach(cleanup);

async function show(fetchPage: FetchPage<Well>, props: Partial<Parameters<typeof DataTable<Well>>[0]> = {}) {
  const source = createPagedSource({ fetchPage });
  const model = createTableModel({ source, rowId: (well) => well.id });
  const table = (changes: Partial<Parameters<typeof DataTable<Well>>[0]>) => (
    <DataTable
      model={model}
      columns={columns}
      labels={labels}
      onError={() => {}}
      empty="No wells yet"
      error={(error, retry) => (
        <button type="button" onClick={retry}>
          {String(error)}
        </button>
      )}
      {...props}
      {...changes}
    />
  );
  const { rerender } = render(table({}));
  await act(async () => {});
  return {
    model,
    source,
    grid: screen.getByRole('grid', { name: 'Wells' }),
    rerender: (changes: Partial<Parameters<typeof DataTable<Well>>[0]>) => rerender(table(changes)),
  };
}

const row = (text: string) => {
  const element = screen.getByText(text).closest<HTMLElement>('[role=row]');
  if (!element) throw new Error(`${text} is not in a row.`);
  return element;
};

const checkboxOf = (text: string) => within(row(text)).getByRole('checkbox', { name: 'Selected' });
const isChecked = (text: string) => checkboxOf(text).getAttribute('aria-checked');

describe('a long list', () => {
  test('renders only visible rows and a few more, and exposes the total', async () => {
    const { grid } = await show(wells(200_000));
    expect(grid.getAttribute('aria-rowcount')).toBe('200001');
    expect(row('W0').getAttribute('aria-rowindex')).toBe('2');
    expect(within(grid).getAllByRole('row').length).toBeLessThan(40);
  });

  test('moves the active row and keeps it rendered', async () => {
    const { model, grid } = await show(wells(200_000));
    act(() => model.move(3));
    expect(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')).toBe(row('W3'));
    await act(async () => model.end());
    expect(row('W199999').getAttribute('aria-rowindex')).toBe('200001');
    expect(document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')).toBe(row('W199999'));
  });

  test('keeps the active row in view when the table gets less high', async () => {
    const resize: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(onResize: () => void) {
          resize.push(onResize);
        }
        observe(): void {}
        disconnect(): void {}
      },
    );
    const { model, grid } = await show(wells(200_000));
    vi.unstubAllGlobals();
    const scroller = document.querySelector('[aria-activedescendant]') ?? grid;
    const setHeight = (height: number): void => {
      vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height);
      act(() => resize.forEach((onResize) => onResize()));
    };
    act(() => model.move(9));
    setHeight(140);
    expect(scroller.scrollTop).toBe(10 * 28 - 112);
    // A row that the user has scrolled away from stays there.
    act(() => {
      scroller.scrollTop = 1000;
      fireEvent.scroll(scroller);
    });
    setHeight(112);
    expect(scroller.scrollTop).toBe(1000);
  });

  test('selects all matching rows, rendered or not', async () => {
    const { model } = await show(wells(200_000));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(row('W3').getAttribute('aria-selected')).toBe('true');
    expect(model.selection.count(200_000)).toBe(200_000);
    fireEvent.click(checkboxOf('W3'));
    expect(row('W3').getAttribute('aria-selected')).toBe('false');
    expect(screen.getByRole('checkbox', { name: 'Select all' }).getAttribute('aria-checked')).toBe('mixed');
  });
});

test('announces whether each row is selected, including rows that scroll into view', async () => {
  const { model } = await show(wells(200_000));
  expect(isChecked('W2')).toBe('false');
  fireEvent.click(checkboxOf('W2'));
  expect([isChecked('W2'), isChecked('W3')]).toEqual(['true', 'false']);
  await act(async () => model.activate(150_000));
  expect(isChecked('W150000')).toBe('false');
  await act(async () => model.home());
  expect(isChecked('W2')).toBe('true');
  fireEvent.click(checkboxOf('W2'));
  expect(isChecked('W2')).toBe('false');
});

describe('cells', () => {
  test('belong to their row, in the order of the columns', async () => {
    await show(wells(50));
    const cells = within(row('W3')).getAllByRole('gridcell');
    expect(cells.map((cell) => cell.textContent)).toEqual(['', 'W3', 'Heron 3']);
    const heads = within(screen.getAllByRole('row')[0] as HTMLElement).getAllByRole('columnheader');
    expect(heads.map((head) => head.textContent)).toEqual(['', 'Number', 'Name']);
  });

  test('show the text of a row that scrolls into view', async () => {
    const { model } = await show(wells(200_000));
    await act(async () => model.activate(150_000));
    expect(within(row('W150000')).getByRole('gridcell', { name: 'Heron 150000' })).toBeTruthy();
    expect(screen.queryByText('W0')).toBeNull();
    await act(async () => model.home());
    expect(within(row('W0')).getByRole('gridcell', { name: 'Heron 0' })).toBeTruthy();
  });

  test('show different text when the columns change', async () => {
    const { model, rerender } = await show(wells(5));
    const [number, name] = columns as [Column<Well>, Column<Well>];
    rerender({ columns: [{ ...number, text: (well) => `No. ${well.id}` }, name] });
    expect(row('No. W3').textContent).toBe('No. W3Heron 3');
    rerender({ columns: [name] });
    expect(row('Heron 3').textContent).toBe('Heron 3');
    expect(model.activeRow()?.id).toBe('W0');
  });

  test('move sideways in scrolling columns but not in frozen columns', async () => {
    const { grid } = await show(wells(50));
    const strips = () => [row('W3'), row('W4'), screen.getAllByRole('row')[0]].map((item) => item?.lastElementChild);
    const leftOffsets = () => strips().map((strip) => (strip as HTMLElement).style.getPropertyValue('--left'));
    grid.scrollLeft = 30;
    fireEvent.scroll(grid);
    expect(leftOffsets()).toEqual(['30px', '30px', '30px']);
    expect(strips().every((strip) => !strip?.textContent.includes('W'))).toBe(true);
  });
});

describe('the row under the pointer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const hoveredRows = () => [...document.querySelectorAll('[data-hovered]')].map((item) => item.textContent);

  test('is highlighted, but not while rows scroll under it', async () => {
    const { grid } = await show(wells(50));
    fireEvent.pointerMove(screen.getByText('Heron 2'));
    expect(hoveredRows()).toEqual(['W2Heron 2']);
    fireEvent.pointerMove(screen.getByText('W4'));
    expect(hoveredRows()).toEqual(['W4Heron 4']);
    fireEvent.scroll(grid);
    expect(hoveredRows()).toEqual([]);
    fireEvent.pointerMove(screen.getByText('W5'));
    expect(hoveredRows()).toEqual([]);
    document.elementFromPoint = () => screen.getByText('Heron 7');
    vi.runAllTimers();
    expect(hoveredRows()).toEqual(['W7Heron 7']);
    fireEvent.pointerLeave(grid);
    expect(hoveredRows()).toEqual([]);
  });

  test("isn't highlighted by touch", async () => {
    await show(wells(50));
    fireEvent.pointerMove(screen.getByText('Heron 2'), { pointerType: 'touch' });
    expect(hoveredRows()).toEqual([]);
  });
});

describe('mouse input', () => {
  test('activates, selects, or opens a row', async () => {
    const onOpen = vi.fn<(well: Well, index: number) => void>();
    const { model } = await show(wells(50), { onOpen });
    fireEvent.click(screen.getByText('Heron 2'));
    expect(model.active()).toBe(2);
    expect(model.selection.count(50)).toBe(0);
    await act(async () => {
      fireEvent.click(screen.getByText('Heron 5'), { shiftKey: true });
    });
    expect(model.selection.count(50)).toBe(4);
    // A double-click selects the word under it.
    document.getSelection()?.selectAllChildren(screen.getByText('Heron 5'));
    fireEvent.doubleClick(screen.getByText('Heron 5'));
    expect(onOpen).toHaveBeenCalledWith({ id: 'W5', name: 'Heron 5' }, 5);
    expect(document.getSelection()?.toString()).toBe('');
  });

  test('opens the context menu of the row under the pointer or of the active row', async () => {
    const onMenu = vi.fn<() => void>();
    const { grid, model } = await show(wells(50), { onMenu, onSort: () => undefined });
    // `fireEvent` returns false if the browser's own menu stays closed.
    expect(fireEvent.contextMenu(screen.getByText('Heron 4'))).toBe(false);
    expect([model.active(), model.selection.count(50), onMenu.mock.calls.length]).toEqual([4, 0, 1]);
    // The menu key. If nothing on the page has focus, the browser can report any element as the target.
    grid.focus();
    expect(fireEvent.contextMenu(grid, { button: -1 })).toBe(false);
    grid.blur();
    const heading = screen.getByRole('columnheader', { name: 'Number' });
    expect(fireEvent.contextMenu(heading, { button: -1 })).toBe(false);
    expect([model.active(), onMenu.mock.calls.length]).toEqual([4, 3]);
    expect(fireEvent.contextMenu(heading, { button: 2 })).toBe(true);
    expect(fireEvent.contextMenu(heading, { button: 0, ctrlKey: true })).toBe(true);
    screen.getByRole('button', { name: 'Number' }).focus();
    expect(fireEvent.contextMenu(heading, { button: -1 })).toBe(true);
    expect(onMenu).toHaveBeenCalledTimes(3);
  });

  test('leaves the context menu to the browser if there are no rows', async () => {
    const onMenu = vi.fn<() => void>();
    const { grid } = await show(wells(0), { onMenu });
    for (const target of [grid, document.body]) expect(fireEvent.contextMenu(target, { button: -1 })).toBe(true);
    expect(onMenu).not.toHaveBeenCalled();
  });

  test('sorts when a column heading is clicked, and shows the sort direction in the heading', async () => {
    const onSort = vi.fn<(column: string) => void>();
    await show(wells(5), { onSort, sort: [{ column: 'number', descending: true }] });
    expect(screen.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('descending');
    fireEvent.click(screen.getByRole('button', { name: 'Number' }));
    expect(onSort).toHaveBeenCalledWith('number');
    expect(screen.queryByRole('button', { name: 'Name' })).toBeNull();
  });
});

describe('table states', () => {
  test('shows skeleton rows and is busy while loading', async () => {
    const { grid } = await show(() => new Promise(() => {}));
    expect(grid.getAttribute('aria-busy')).toBe('true');
    expect(grid.querySelectorAll('.qd-loading').length).toBeGreaterThanOrEqual(10);
  });

  test('is busy while stale', async () => {
    const { grid } = await show(wells(3), { stale: true });
    expect([grid.getAttribute('aria-busy'), grid.classList.contains('qd-stale')]).toEqual(['true', true]);
  });

  test('ignores clicks on stale rows', async () => {
    const { model, source } = await show(wells(3));
    source.replace(() => new Promise(() => undefined));
    fireEvent.click(screen.getByText('Heron 2'));
    fireEvent.click(screen.getByText('Heron 1'), { ctrlKey: true });
    model.toggle();
    expect([model.active(), model.selection.count(3)]).toEqual([0, 0]);
  });

  test('shows an empty list', async () => {
    await show(wells(0));
    expect(screen.getByText('No wells yet')).toBeTruthy();
  });

  test('shows why a list failed to load and retries', async () => {
    let fetchPage: FetchPage<Well> = () => Promise.reject(new Error('unavailable'));
    await show((...args) => fetchPage(...args));
    fetchPage = wells(3);
    fireEvent.click(screen.getByRole('button', { name: 'Error: unavailable' }));
    expect(await screen.findByText('Heron 2')).toBeTruthy();
  });

  test('reports rows that failed to load and keeps the others', async () => {
    const { model } = await show((page, size, signal) =>
      page === 0 ? wells(1000)(page, size, signal) : Promise.reject(new Error('unavailable')),
    );
    expect(screen.queryByRole('alert')).toBeNull();
    await act(async () => model.activate(150));
    expect(screen.getByRole('alert').textContent).toContain('unavailable');
  });

  test('keeps old rows until new data arrives', async () => {
    let name = 'old';
    const { source } = await show(async () => ({ total: 1, rows: [{ id: 'W0', name }] }));
    name = 'new';
    act(() => source.invalidate());
    expect(screen.getByText('old')).toBeTruthy();
    expect(await screen.findByText('new')).toBeTruthy();
  });
});

test('prevents scrolling on bound keys only after other listeners have seen them', async () => {
  const { grid } = await show(wells(50));
  const onKeyDown = vi.fn<(prevented: boolean) => void>();
  const keymap = (event: Event) => onKeyDown(event.defaultPrevented);
  window.addEventListener('keydown', keymap);
  const isDefaultAllowed = fireEvent.keyDown(grid, { key: 'ArrowDown' });
  window.removeEventListener('keydown', keymap);
  expect(onKeyDown).toHaveBeenCalledWith(false);
  expect(isDefaultAllowed).toBe(false);
});
