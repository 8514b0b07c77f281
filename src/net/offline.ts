/** Spec 9: offline for this long, ms, the app marks itself offline. */
export const OFFLINE_AFTER_MS = 600_000;

/**
 * Follows whether the browser has a network. `mark(true)` once it has had none for {@link OFFLINE_AFTER_MS} without a
 * break, `mark(false)` as soon as it has one again. @returns a function that stops following.
 */
export function followOffline(mark: (offline: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const away = (): void => {
    timer ??= setTimeout(() => mark(true), OFFLINE_AFTER_MS);
  };
  const back = (): void => {
    clearTimeout(timer);
    timer = undefined;
    mark(false);
  };
  const stop = new AbortController();
  window.addEventListener('offline', away, { signal: stop.signal });
  window.addEventListener('online', back, { signal: stop.signal });
  if (!navigator.onLine) away();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
