/** In browsers that can't tell when they are idle (Safari). */
const FALLBACK_DELAY_MS = 200;

/** Runs a task when the browser is idle. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(task, FALLBACK_DELAY_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task);
  return () => cancelIdleCallback(handle);
}
