/** A window of a list, as an index range that starts on a multiple of `size`. */
export interface Window {
  /** Zero-based. */
  readonly page: number;
  readonly size: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** All that match, not only this page. */
  readonly total: number;
  /** The server ends the list before its total: what lies beyond is not shown. */
  readonly capped?: true;
}

/** Items of a list that customers cannot see. */
export interface StaffOnly {
  readonly count: number;
  /** A filter term that keeps exactly those of any list: `lifecycle:DEFECTIVE`. */
  readonly term: string;
}

/**
 * A filter compiled to what the contract selects by; `Selection` is the init shape of the entity's selection message.
 */
export interface Compiled<Selection> {
  readonly selection: Selection;
  /** Names of `Entity.sorts`, `-` in front for descending; empty for the entity's own order. */
  readonly sort: readonly string[];
}
