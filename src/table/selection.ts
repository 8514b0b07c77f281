/**
 * What is selected. `all` is every row that matches the filter, loaded or not, but for a few: selecting 200,000 rows is
 * a flag, not a set of 200,000.
 */
export type SelectionState = { kind: 'ids'; ids: ReadonlySet<string> } | { kind: 'all'; except: ReadonlySet<string> };

export interface Selection {
  /** The same object until the selection changes; its set is live and not to be kept past a change. */
  readonly state: () => SelectionState;
  readonly has: (id: string) => boolean;
  /** How many are selected of `total`. */
  readonly count: (total: number) => number;
  readonly toggle: (id: string) => void;
  readonly add: (ids: Iterable<string>) => void;
  readonly remove: (ids: Iterable<string>) => void;
  /** Exactly these, such as what failed in a batch. */
  readonly replace: (ids: Iterable<string>) => void;
  readonly all: () => void;
  readonly clear: () => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createSelection(): Selection {
  const listeners = new Set<() => void>();
  // In `ids` the set is what is selected, in `all` what is not.
  let all = false;
  let set = new Set<string>();
  let state: SelectionState = { kind: 'ids', ids: set };

  const changed = () => {
    state = all ? { kind: 'all', except: set } : { kind: 'ids', ids: set };
    for (const listener of listeners) listener();
  };
  const start = (nextAll: boolean, ids: Iterable<string> = []) => {
    all = nextAll;
    set = new Set(ids);
    changed();
  };
  const mark = (ids: Iterable<string>, selected: boolean) => {
    const before = set.size;
    for (const id of ids) {
      if (selected === all) set.delete(id);
      else set.add(id);
    }
    if (set.size !== before) changed();
  };
  const has = (id: string) => set.has(id) !== all;

  return {
    state: () => state,
    has,
    count: (total) => (all ? Math.max(0, total - set.size) : set.size),
    toggle: (id) => mark([id], !has(id)),
    add: (ids) => mark(ids, true),
    remove: (ids) => mark(ids, false),
    replace: (ids) => start(false, ids),
    all: () => start(true),
    clear: () => start(false),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
