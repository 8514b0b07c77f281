/**
 * Keys as people see them, and as screen readers announce them: not in the name of the element, but in these
 * attributes. ARIA has shortcuts for one keystroke only, so a sequence is a description.
 */
export interface ShownKeys {
  readonly text: string;
  readonly attributes: { readonly 'aria-keyshortcuts': string } | { readonly 'aria-description': string };
}
