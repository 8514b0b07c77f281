/** Keys held in addition to characters. */
const NAMED_KEYS: readonly string[] = ['Enter', 'Tab', 'Backspace', 'ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'];

let earlyKeys: readonly KeyboardEvent[] = [];
let holding: AbortController | undefined;

/**
 * Holds keystrokes while the page is still blank. Without this, the console would miss the first keys of a line and
 * mistake the rest for other commands. Drops the keystrokes once anything but the console appears, such as the sign-in
 * form: they were not meant for it.
 *
 * @param root the element that the page renders into
 */
export function holdEarlyKeys(root: Element): void {
  holding = new AbortController();
  window.addEventListener('keydown', onEarlyKey, { capture: true, signal: holding.signal });
  // Called after the layout effects of the first screen, when the console has taken the keys.
  const observer = new MutationObserver(() => {
    if (root.firstElementChild) takeEarlyKeys();
  });
  observer.observe(root, { childList: true });
  holding.signal.addEventListener('abort', () => observer.disconnect());
}

/** Returns the held keystrokes and stops holding further ones. */
export function takeEarlyKeys(): readonly KeyboardEvent[] {
  holding?.abort();
  const taken = earlyKeys;
  earlyKeys = [];
  return taken;
}

function onEarlyKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') earlyKeys = [];
  if (!isHeld(event)) return;
  event.preventDefault();
  // The console listens before it is shown, and would handle the key a second time.
  event.stopImmediatePropagation();
  earlyKeys = [...earlyKeys, event];
}

/** True for keys that the console handles, as opposed to the browser. */
function isHeld({ key, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  if (altKey || repeat) return false;
  return ctrlKey || metaKey ? key === 'k' : [...key].length === 1 || NAMED_KEYS.includes(key);
}
