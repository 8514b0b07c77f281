export interface Page<Row> {
  /** Undefined while it never arrived. */
  readonly rows: readonly Row[] | undefined;
  /** Why the last attempt failed. */
  readonly error: unknown;
  /** The generation of the list that the page was last asked for in; an older one is stale. */
  readonly generation: number;
}

/** Pages by number, at most `limit`: the one unused longest goes first, never one that `keep` names. */
export function createPageCache<Row>(limit: number) {
  // A Map iterates in the order of insertion, so touching a page means inserting it again.
  const pages = new Map<number, Page<Row>>();
  return {
    get: (index: number) => pages.get(index),
    touch(index: number) {
      const page = pages.get(index);
      if (!page) return;
      pages.delete(index);
      pages.set(index, page);
    },
    set(index: number, page: Page<Row>, keep: (index: number) => boolean) {
      pages.delete(index);
      pages.set(index, page);
      for (const oldest of pages.keys()) {
        if (pages.size <= limit) break;
        if (oldest !== index && !keep(oldest)) pages.delete(oldest);
      }
    },
    clearErrors() {
      for (const [index, page] of pages) {
        if (page.error === undefined) continue;
        if (page.rows) pages.set(index, { ...page, error: undefined, generation: -1 });
        else pages.delete(index);
      }
    },
    *rows() {
      for (const page of pages.values()) if (page.rows) yield page.rows;
    },
    /** Replaces rows where they stand; true when any is another object now. */
    map(next: (row: Row) => Row): boolean {
      let changed = false;
      for (const [index, page] of pages) {
        const rows = page.rows?.map(next);
        if (!rows?.some((row, position) => row !== page.rows?.[position])) continue;
        pages.set(index, { ...page, rows });
        changed = true;
      }
      return changed;
    },
    clear: () => pages.clear(),
  };
}
