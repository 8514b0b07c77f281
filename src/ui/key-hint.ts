/**
 * Keys as text, with the attributes that make screen readers announce them separately from the element's name. ARIA
 * supports only single keystrokes as shortcuts, so a sequence becomes a description.
 */
export interface KeyHint {
  readonly text: string;
  readonly attributes: { readonly 'aria-keyshortcuts': string } | { readonly 'aria-description': string };
}
