/** Named keys to buffer in addition to characters. */
const NAMED_KEYS: readonly string[] = ['Enter', 'Tab', 'Backspace', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

let earlyKeys: readonly KeyboardEvent[] = [];
let controller: AbortController | undefined;

/**
 * Buffers keystrokes while the page is still blank. Otherwise, the console would miss the first keys of a line and
 * mistake the rest for other commands. If anything other than the console appears, such as the sign-in form, the
 * keystrokes weren't meant for it and are dropped.
 *
 * @param root the element that the page renders into
 */
export function bufferEarlyKeys(root: Element): void {
  controller = new AbortController();
  window.addEventListener('keydown', onEarlyKey, { capture: true, signal: controller.signal });
  // Run after the layout effects of the first screen, so the console has already taken the keys.
  const observer = new MutationObserver(() => {
    if (root.firstElementChild) takeEarlyKeys();
  });
  observer.observe(root, { childList: true });
  controller.signal.addEventListener('abort', () => observer.disconnect());
}

/** Returns the buffered keystrokes and stops buffering. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  controller?.abort();
  const keys = earlyKeys;
  earlyKeys = [];
  return keys;
}

function onEarlyKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') earlyKeys = [];
  if (!isBuffered(event)) return;
  event.preventDefault();
  // The console listens before appearing, and would handle the key a second time.
  event.stopImmediatePropagation();
  earlyKeys = [...earlyKeys, event];
}

/** True for keys that the console handles, as opposed to the browser. */
function isBuffered({ key, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  if (altKey || repeat) return false;
  return ctrlKey || metaKey ? key === 'k' : [...key].length === 1 || NAMED_KEYS.includes(key);
}
