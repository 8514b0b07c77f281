import type { RowRange, RowSource } from './row-source.ts';
import { createSelection, type Selection } from './selection.ts';

/** What the model needs of the table that shows it. */
export interface TableViewport {
  /** Whole rows that fit. */
  readonly pageRows: () => number;
  /** Rows on the screen. */
  readonly visible: () => RowRange;
  /** Scrolls as little as brings the row into view. */
  readonly reveal: (index: number) => void;
  readonly toTop: () => void;
}

/**
 * The state of a table, for commands and for whoever watches: which list, which row is active, what is selected. It
 * stands outside React, so that moving and selecting render nothing. The keymap calls it; the table draws it.
 */
export interface TableModel<Row> {
  readonly source: RowSource<Row>;
  readonly selection: Selection;
  readonly rowId: (row: Row) => string;
  /** Index of the active row; undefined in an empty list. */
  readonly active: () => number | undefined;
  readonly activeRow: () => Row | undefined;
  /** Told when another row becomes active, or the same moves to another place. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Told when somebody moves to a row, not when the rows move under the active one. */
  readonly onMove: (listener: () => void) => () => void;
  /** Makes a row active, and visible. Indexes beyond the list become its ends. */
  readonly activate: (index: number) => void;
  readonly move: (by: number) => void;
  /** By screens. */
  readonly page: (by: number) => void;
  readonly home: () => void;
  readonly end: () => void;
  /** Selects or deselects a row, by default the active one. */
  readonly toggle: (index?: number) => void;
  /** Moves the active row and selects from where it started; coming back deselects. */
  readonly extend: (by: number) => Promise<void>;
  readonly extendTo: (index: number, signal?: AbortSignal) => Promise<void>;
  readonly selectAll: () => void;
  readonly clearSelection: () => void;
  /** Another list is coming: first row active, at the top, nothing selected. */
  readonly reset: () => void;
  /** For the table. Returns how to detach. */
  readonly attach: (viewport: TableViewport) => () => void;
}

export interface TableModelOptions<Row> {
  readonly source: RowSource<Row>;
  readonly rowId: (row: Row) => string;
  readonly selection?: Selection;
}

const between = (a: number, b: number): RowRange => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 });

export function createTableModel<Row>({
  source,
  rowId,
  selection = createSelection(),
}: TableModelOptions<Row>): TableModel<Row> {
  const listeners = new Set<() => void>();
  const followers = new Set<() => void>();
  let viewport: TableViewport | undefined;
  let index = 0;
  let activeId: string | undefined;
  /** Where a range started, and where it reaches. */
  let anchor: number | undefined;
  let reach = 0;

  const changed = () => {
    for (const listener of listeners) listener();
  };
  const idAt = (at: number) => {
    const row = source.rowAt(at);
    return row === undefined ? undefined : rowId(row);
  };
  const clamp = (at: number) => Math.min(Math.max(0, at), Math.max(0, (source.total() ?? 1) - 1));
  const active = () => ((source.total() ?? 0) > 0 ? clamp(index) : undefined);

  function place(at: number) {
    index = clamp(at);
    activeId = idAt(index);
    viewport?.reveal(index);
    changed();
    for (const follower of followers) follower();
  }
  function activate(at: number) {
    anchor = undefined;
    place(at);
  }

  /** Rows may move while data changes: the active row is the same thing, wherever it went on the screen. */
  function follow() {
    const here = idAt(index);
    if (activeId !== undefined && here !== activeId && viewport) {
      const { start, end } = viewport.visible();
      for (let at = start; at < end; at++) {
        if (idAt(at) !== activeId) continue;
        index = at;
        return changed();
      }
    }
    if (here === activeId) return;
    activeId = here;
    changed();
  }

  async function idsIn(range: RowRange, signal?: AbortSignal): Promise<string[]> {
    const rows: Row[] = [];
    for (let at = range.start; at < range.end; at++) {
      const row = source.rowAt(at);
      if (row === undefined) return (await source.load(range, signal)).map(rowId);
      rows.push(row);
    }
    return rows.map(rowId);
  }

  async function extendTo(at: number, signal?: AbortSignal) {
    if (active() === undefined) return;
    const from = anchor ?? clamp(index);
    const before = anchor === undefined ? { start: from, end: from } : between(from, reach);
    const target = clamp(at);
    const after = between(from, target);
    anchor = from;
    reach = target;
    place(target);
    // What the range no longer covers lies before or after what it covers now.
    const left = [
      { start: before.start, end: Math.min(before.end, after.start) },
      { start: Math.max(before.start, after.end), end: before.end },
    ].filter(({ start, end }) => start < end);
    for (const range of left) selection.remove(await idsIn(range, signal));
    selection.add(await idsIn(after, signal));
  }

  source.subscribe(follow);

  return {
    source,
    selection,
    rowId,
    active,
    activeRow: () => source.rowAt(clamp(index)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onMove(listener) {
      followers.add(listener);
      return () => followers.delete(listener);
    },
    activate,
    move: (by) => activate(clamp(index) + by),
    page: (by) => activate(clamp(index) + by * Math.max(1, viewport?.pageRows() ?? 1)),
    home: () => activate(0),
    end: () => activate(Infinity),
    toggle(at = clamp(index)) {
      const id = idAt(at);
      if (id !== undefined) selection.toggle(id);
    },
    extend: (by) => extendTo((anchor === undefined ? clamp(index) : reach) + by),
    extendTo,
    selectAll: () => selection.all(),
    clearSelection() {
      anchor = undefined;
      selection.clear();
    },
    reset() {
      anchor = undefined;
      index = 0;
      activeId = undefined;
      selection.clear();
      viewport?.toTop();
      changed();
    },
    attach(next) {
      viewport = next;
      return () => {
        if (viewport === next) viewport = undefined;
      };
    },
  };
}
