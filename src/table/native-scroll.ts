const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/**
 * Keeps the browser from scrolling a focused element on keys that also have a command. Prevents the default only in the
 * last listener because the keymap ignores events with a prevented default.
 */
export function preventNativeScroll(event: KeyboardEvent) {
  if (!SCROLL_KEYS.has(event.key)) return;
  window.addEventListener('keydown', (current) => current === event && current.preventDefault(), { once: true });
}
