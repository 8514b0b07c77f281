/**
 * The selected rows. `all` means every row that matches the filter, loaded or not, with exceptions. Selecting 200,000
 * rows therefore sets a flag instead of storing 200,000 ids.
 */
export type SelectionState = { kind: 'ids'; ids: ReadonlySet<string> } | { kind: 'all'; except: ReadonlySet<string> };

export interface Selection {
  /** Returns the same object until the selection changes. Its set is live, so do not keep it beyond a change. */
  readonly state: () => SelectionState;
  readonly has: (id: string) => boolean;
  /** The number of selected rows, out of `total`. */
  readonly count: (total: number) => number;
  readonly toggle: (id: string) => void;
  readonly add: (ids: Iterable<string>) => void;
  readonly remove: (ids: Iterable<string>) => void;
  /** Selects exactly the given rows, such as the failed ones of a batch. */
  readonly replace: (ids: Iterable<string>) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createSelection(): Selection {
  const listeners = new Set<() => void>();
  // For `ids`, the set contains the selected rows. For `all`, it contains the unselected rows.
  let isAll = false;
  let set = new Set<string>();
  let state: SelectionState = { kind: 'ids', ids: set };

  const notify = () => {
    state = isAll ? { kind: 'all', except: set } : { kind: 'ids', ids: set };
    for (const listener of listeners) listener();
  };
  const reset = (nextAll: boolean, ids: Iterable<string> = []) => {
    isAll = nextAll;
    set = new Set(ids);
    notify();
  };
  const setSelected = (ids: Iterable<string>, isSelected: boolean) => {
    const previousSize = set.size;
    for (const id of ids) {
      if (isSelected === isAll) set.delete(id);
      else set.add(id);
    }
    if (set.size !== previousSize) notify();
  };
  const has = (id: string) => set.has(id) !== isAll;

  return {
    state: () => state,
    has,
    count: (total) => (isAll ? Math.max(0, total - set.size) : set.size),
    toggle: (id) => setSelected([id], !has(id)),
    add: (ids) => setSelected(ids, true),
    remove: (ids) => setSelected(ids, false),
    replace: (ids) => reset(false, ids),
    selectAll: () => reset(true),
    clear: () => reset(false),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
