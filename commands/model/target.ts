/**
 * Which items a command acts on: those with these ids, those that a text names (one, or several with commas), those
 * that match a filter when the plan is made, or whatever the host has selected. A plain value: it is kept in history,
 * links and macros.
 */
export type Target = NamedTarget | { readonly named: string } | { readonly selection: true };

/** A target that means the same wherever it is read; the empty query is everything. */
export type NamedTarget = { readonly ids: readonly string[] } | { readonly query: string };

export const SELECTION: Target = { selection: true };

export function isSelection(target: Target): target is Extract<Target, { selection: true }> {
  return 'selection' in target;
}

/** A target after it was looked up: the items as they were at that moment, in the order of the list. */
export interface Selected<Item> {
  readonly ids: readonly string[];
  readonly items: readonly Item[];
  /** The filter text it came from, if it came from one: what a plan names and a copied line says. */
  readonly query?: string;
}
