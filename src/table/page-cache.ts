export interface Page<Row> {
  /** Undefined until the page has loaded once. */
  readonly rows: readonly Row[] | undefined;
  /** The error from the last attempt. */
  readonly error: unknown;
  /** The list's generation when the page was last requested. A page from an older generation is stale. */
  readonly generation: number;
}

/** Creates an LRU cache of pages by number, with at most `limit` pages. Never evicts pages that `isPinned` matches. */
export function createPageCache<Row>(limit: number) {
  // A Map iterates in insertion order, so touching a page means reinserting it.
  const pages = new Map<number, Page<Row>>();
  return {
    get: (index: number) => pages.get(index),
    touch(index: number) {
      const page = pages.get(index);
      if (!page) return;
      pages.delete(index);
      pages.set(index, page);
    },
    set(index: number, page: Page<Row>, isPinned: (index: number) => boolean) {
      pages.delete(index);
      pages.set(index, page);
      for (const oldest of pages.keys()) {
        if (pages.size <= limit) break;
        if (oldest !== index && !isPinned(oldest)) pages.delete(oldest);
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
    /** Replaces rows in place. Returns true if any row object changed. */
    map(next: (row: Row) => Row): boolean {
      let hasChanged = false;
      for (const [index, page] of pages) {
        const rows = page.rows?.map(next);
        if (!rows?.some((row, position) => row !== page.rows?.[position])) continue;
        pages.set(index, { ...page, rows });
        hasChanged = true;
      }
      return hasChanged;
    },
    clear: () => pages.clear(),
  };
}
