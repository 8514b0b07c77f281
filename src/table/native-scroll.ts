const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']);

/**
 * The browser scrolls a focused element on these keys, on top of what the command on the key does. Prevented at the
 * very end of the event's way, after every other listener, so that the keymap still sees an event that nobody has
 * taken.
 */
export function keepNativeScrollOut(event: KeyboardEvent) {
  if (!SCROLL_KEYS.has(event.key)) return;
  window.addEventListener('keydown', (last) => last === event && last.preventDefault(), { once: true });
}
