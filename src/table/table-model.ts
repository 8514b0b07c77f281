import type { RowRange, RowSource } from './row-source.ts';
import { createSelection, type Selection } from './selection.ts';

/** The part of the table's view that the model uses. */
export interface TableViewport {
  /** The number of fully visible rows. */
  readonly pageRows: () => number;
  /** The visible rows. */
  readonly visibleRange: () => RowRange;
  /** Scrolls just far enough to show the row. */
  readonly reveal: (index: number) => void;
  readonly toTop: () => void;
}

/**
 * The state of a table: its list, its active row, and its selection. Lives outside React, so moving and selecting do
 * not rerender anything. The keymap calls it, and the table renders it.
 */
export interface TableModel<Row> {
  readonly source: RowSource<Row>;
  readonly selection: Selection;
  readonly rowId: (row: Row) => string;
  /** Index of the active row. Undefined in an empty list. */
  readonly active: () => number | undefined;
  /** The active row. The row last seen, while its new place in the list is unknown. */
  readonly activeRow: () => Row | undefined;
  /** Returns the index of an item, or undefined if it isn't in the list. */
  readonly find: (id: string, signal: AbortSignal) => Promise<number | undefined>;
  /** Notifies when another row becomes active, or when the index of the active row changes. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Follows the active row wherever the list moves it, as if the user had moved to it. */
  readonly pin: () => void;
  /** Notifies when the user moves to a row, but not when a data change moves the active row. */
  readonly onMove: (listener: () => void) => () => void;
  /** Activates a row and makes it visible. Clamps the index to the list. */
  readonly activate: (index: number) => void;
  /** Makes the active row visible again, if the user has scrolled away from it. */
  readonly reveal: () => void;
  readonly move: (steps: number) => void;
  /** Moves by whole screens. */
  readonly page: (steps: number) => void;
  readonly home: () => void;
  readonly end: () => void;
  /** Toggles the selection of a row, by default the active one. */
  readonly toggle: (index?: number) => void;
  /** Moves the active row and selects every row from where the range started. Moving back deselects rows. */
  readonly extend: (steps: number) => Promise<void>;
  readonly extendTo: (index: number, signal?: AbortSignal) => Promise<void>;
  readonly selectAll: () => void;
  readonly clearSelection: () => void;
  /** Resets the state for another list: first row active, scrolled to the top, nothing selected. */
  readonly reset: () => void;
  /** Attaches the table's view. Returns a function that detaches it. */
  readonly attach: (viewport: TableViewport) => () => void;
}

export interface TableModelOptions<Row> {
  readonly source: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  readonly selection?: Selection;
  /** Finds an item whose row may not be loaded. Without it, the model finds only visible rows. */
  readonly locate?: (id: string, signal: AbortSignal) => Promise<number | undefined>;
  readonly onError?: (error: unknown) => void;
}

const rangeBetween = (a: number, b: number): RowRange => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 });

export function createTableModel<Row>({
  source,
  rowId,
  selection = createSelection(),
  locate,
  onError,
}: TableModelOptions<Row>): TableModel<Row> {
  const listeners = new Set<() => void>();
  const moveListeners = new Set<() => void>();
  let viewport: TableViewport | undefined;
  let index = 0;
  let activeId: string | undefined;
  /** The active row when it was last seen. */
  let lastRow: Row | undefined;
  /** Searches for the active row after a data change moved it out of sight. */
  let search: AbortController | undefined;
  /**
   * True once the user moved to the active row or changed it. Another one is followed only within the visible rows: new
   * items in a live list would otherwise take the first row out of sight.
   */
  let isPinned = false;
  /** The row where a range selection starts. */
  let anchor: number | undefined;
  /** The row where the range selection ends. */
  let rangeEnd = 0;

  const notify = () => {
    for (const listener of listeners) listener();
  };
  const idAt = (rowIndex: number) => {
    const row = source.rowAt(rowIndex);
    return row === undefined ? undefined : rowId(row);
  };
  const clamp = (rowIndex: number) => Math.min(Math.max(0, rowIndex), Math.max(0, (source.total() ?? 1) - 1));
  const active = () => ((source.total() ?? 0) > 0 ? clamp(index) : undefined);

  function stopSearch() {
    search?.abort();
    search = undefined;
  }
  /** Makes the row at an index active. */
  function adopt(rowIndex: number) {
    stopSearch();
    index = clamp(rowIndex);
    lastRow = source.rowAt(index);
    activeId = lastRow === undefined ? undefined : rowId(lastRow);
  }

  function moveActive(rowIndex: number) {
    adopt(rowIndex);
    isPinned = true;
    viewport?.reveal(index);
    notify();
    for (const listener of moveListeners) listener();
  }
  function activate(rowIndex: number) {
    anchor = undefined;
    moveActive(rowIndex);
  }

  /** Follows the active row by id if a data change moved it. If it left the list, the row in its place is active. */
  function followActiveRow() {
    const currentId = idAt(clamp(index));
    if (currentId === activeId) {
      if (activeId !== undefined) adopt(index);
      return undefined;
    }
    // Until the row in this place loads, the active row may still be here.
    if (currentId === undefined && source.total() !== 0) return undefined;
    if (activeId === undefined || source.total() === 0) {
      adopt(index);
      return notify();
    }
    const { start, end } = viewport?.visibleRange() ?? { start: 0, end: 0 };
    for (let rowIndex = start; rowIndex < end; rowIndex++) {
      if (idAt(rowIndex) !== activeId) continue;
      adopt(rowIndex);
      return notify();
    }
    if (locate && isPinned) {
      if (!search) void searchActiveRow(activeId, locate);
      return undefined;
    }
    adopt(index);
    return notify();
  }

  async function searchActiveRow(id: string, locateRow: NonNullable<typeof locate>) {
    const controller = new AbortController();
    search = controller;
    const version = source.version();
    try {
      const found = await locateRow(id, controller.signal);
      if (search !== controller) return;
      search = undefined;
      if (found === undefined) adopt(index);
      else index = found;
      notify();
      // The list may have changed again meanwhile.
      if (source.version() !== version) followActiveRow();
    } catch (error) {
      if (search !== controller) return;
      // The item stays the target. The next data change searches again.
      search = undefined;
      onError?.(error);
    }
  }

  async function loadIdsIn(range: RowRange, signal?: AbortSignal): Promise<string[]> {
    const rows: Row[] = [];
    for (let rowIndex = range.start; rowIndex < range.end; rowIndex++) {
      const row = source.rowAt(rowIndex);
      if (row === undefined) return (await source.load(range, signal)).map(rowId);
      rows.push(row);
    }
    return rows.map(rowId);
  }

  async function extendTo(rowIndex: number, signal?: AbortSignal) {
    if (active() === undefined) return;
    const from = anchor ?? clamp(index);
    const before = anchor === undefined ? { start: from, end: from } : rangeBetween(from, rangeEnd);
    const target = clamp(rowIndex);
    const after = rangeBetween(from, target);
    anchor = from;
    rangeEnd = target;
    moveActive(target);
    // Rows that left the range are before or after the new range.
    const deselected = [
      { start: before.start, end: Math.min(before.end, after.start) },
      { start: Math.max(before.start, after.end), end: before.end },
    ].filter(({ start, end }) => start < end);
    for (const range of deselected) selection.remove(await loadIdsIn(range, signal));
    selection.add(await loadIdsIn(after, signal));
  }

  source.subscribe(followActiveRow);

  return {
    source,
    selection,
    rowId,
    active,
    activeRow() {
      const row = source.rowAt(clamp(index));
      return activeId === undefined || (row !== undefined && rowId(row) === activeId) ? row : lastRow;
    },
    async find(id, signal) {
      return idAt(clamp(index)) === id ? clamp(index) : locate?.(id, signal);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onMove(listener) {
      moveListeners.add(listener);
      return () => moveListeners.delete(listener);
    },
    activate,
    pin() {
      isPinned = true;
    },
    reveal: () => viewport?.reveal(clamp(index)),
    move: (steps) => activate(clamp(index) + steps),
    page: (steps) => activate(clamp(index) + steps * Math.max(1, viewport?.pageRows() ?? 1)),
    home: () => activate(0),
    end: () => activate(Infinity),
    toggle(rowIndex = clamp(index)) {
      // Rows that another list is about to replace would stay selected out of sight.
      const id = source.isShown() ? idAt(rowIndex) : undefined;
      if (id !== undefined) selection.toggle(id);
    },
    extend: (steps) => extendTo((anchor === undefined ? clamp(index) : rangeEnd) + steps),
    extendTo,
    selectAll: () => selection.selectAll(),
    clearSelection() {
      anchor = undefined;
      selection.clear();
    },
    reset() {
      stopSearch();
      anchor = undefined;
      index = 0;
      activeId = undefined;
      lastRow = undefined;
      isPinned = false;
      selection.clear();
      viewport?.toTop();
      notify();
    },
    attach(next) {
      viewport = next;
      return () => {
        if (viewport === next) viewport = undefined;
      };
    },
  };
}
