/** What waits for the first screen waits no longer than this, ms: a screen may have nothing to say, or fail. */
const LATEST_MS = 3000;

let shown: () => void;

/**
 * Resolves once the first screen shows what it is for (the sign-in form, the first rows), at the first key or press, or
 * after a while. Code that the first screen can do without is loaded then: early enough to be there when it is wanted,
 * too late to delay what is awaited.
 */
export const firstScreen = new Promise<void>((resolve) => {
  const done = new AbortController();
  shown = () => {
    done.abort();
    resolve();
  };
  for (const type of ['keydown', 'pointerdown']) {
    window.addEventListener(type, shown, { capture: true, signal: done.signal });
  }
  setTimeout(shown, LATEST_MS);
});

/** For a screen, once it shows what it is for. After the next paint, so that nothing comes between. */
export function firstScreenShown(): void {
  requestAnimationFrame(() => setTimeout(shown));
}
