/** One page of a list: `size` items, starting at index `page * size`. */
export interface Window {
  /** Zero-based. */
  readonly page: number;
  readonly size: number;
  /** True if the items may come without their newest values, because the caller only names and changes them. */
  readonly omitsValues?: true;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of all matching items, not only those on this page. */
  readonly total: number;
  /** True if the server returns fewer items than its total. The remaining items are not shown. */
  readonly capped?: true;
}

/** Items of a list that customers cannot see. */
export interface StaffOnly {
  readonly count: number;
  /** A filter term that narrows any list to exactly the staff-only items: `lifecycle:DEFECTIVE`. */
  readonly term: string;
}

/** A filter compiled to the contract's selection. `Selection` is the init shape of the entity's selection message. */
export interface CompiledFilter<Selection> {
  readonly selection: Selection;
  /** Names from `Entity.sorts`, with a leading `-` for descending order. Empty for the entity's own order. */
  readonly sort: readonly string[];
}
