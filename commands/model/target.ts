/**
 * The items that a command acts on. They are given by id, by name (separated by commas), by a filter that is applied
 * when the plan is made, or as the host's current selection. A target is a plain value, stored in history, links, and
 * macros.
 */
export type Target = NamedTarget | { readonly named: string } | { readonly selection: true };

/** A target with the same meaning in any context. The empty query matches everything. */
export type NamedTarget = { readonly ids: readonly string[] } | { readonly query: string };

export const SELECTION: Target = { selection: true };

export function isSelection(target: Target): target is Extract<Target, { selection: true }> {
  return 'selection' in target;
}

/** The items of a target, as of their lookup, in list order. */
export interface SelectedItems<Item> {
  readonly ids: readonly string[];
  readonly items: readonly Item[];
  /** The filter that selected them, if any. Plans and copied lines include it. */
  readonly query?: string;
}
