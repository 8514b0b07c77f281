/** Timeout in case the first screen has no content or fails. */
const TIMEOUT_MS = 3000;

let resolveFirstScreen: () => void;

/**
 * Resolves once the first screen shows its content (the sign-in form, the rows of a table), the user first presses a
 * key or clicks, or a timeout expires. Other code is loaded at that point: early enough to be ready when needed, late
 * enough not to delay the content.
 */
export const firstScreen = new Promise<void>((resolve) => {
  const controller = new AbortController();
  resolveFirstScreen = () => {
    controller.abort();
    resolve();
  };
  for (const type of ['keydown', 'pointerdown']) {
    window.addEventListener(type, resolveFirstScreen, { capture: true, signal: controller.signal });
  }
  setTimeout(resolveFirstScreen, TIMEOUT_MS);
});

/** Called by a screen on showing its content. Waits for the next paint, which loading more code must not delay. */
export function reportFirstScreen(): void {
  requestAnimationFrame(() => setTimeout(resolveFirstScreen));
}
