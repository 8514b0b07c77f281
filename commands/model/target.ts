/**
 * The items a command acts on: those with the given ids, those with the given names (one, or several with commas),
 * those that match a filter when the plan is made, or the host's current selection. A plain value, stored in history,
 * links and macros.
 */
export type Target = NamedTarget | { readonly named: string } | { readonly selection: true };

/** A target that means the same in any context; the empty query matches everything. */
export type NamedTarget = { readonly ids: readonly string[] } | { readonly query: string };

export const SELECTION: Target = { selection: true };

export function isSelection(target: Target): target is Extract<Target, { selection: true }> {
  return 'selection' in target;
}

/** A target after lookup: the items as they were then, in the order of the list. */
export interface Selected<Item> {
  readonly ids: readonly string[];
  readonly items: readonly Item[];
  /** The filter text it came from, if any: plans name it and copied lines include it. */
  readonly query?: string;
}
