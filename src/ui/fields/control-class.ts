/** The common look of text inputs, selects, and comboboxes. */
export const CONTROL_CLASS =
  'h-7 w-full min-w-0 rounded-field border border-line-field bg-surface-0 px-2 text-body text-ink-1 ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-health-error disabled:border-line disabled:text-ink-3';
