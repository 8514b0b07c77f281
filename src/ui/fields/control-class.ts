/**
 * The common look of text inputs, selects, and comboboxes. The size is in a layer below the utilities, so `h-6` and
 * `type-mono` override it.
 */
export const CONTROL_CLASS =
  'control-box w-full min-w-0 rounded-field border border-line-field bg-surface-0 px-2 text-ink-1 ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 ' +
  'aria-invalid:border-health-error disabled:border-line disabled:text-ink-3';
