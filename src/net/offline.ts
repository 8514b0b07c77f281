/** Time without a network, in ms, after which the app marks itself offline (spec 9). */
export const OFFLINE_AFTER_MS = 600_000;

/**
 * Tracks whether the browser has a network. Calls `setOffline(true)` once it has had none for {@link OFFLINE_AFTER_MS}
 * without interruption, and `setOffline(false)` as soon as it has one again.
 *
 * @returns a function that stops tracking
 */
export function trackOffline(setOffline: (isOffline: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onOffline = (): void => {
    timer ??= setTimeout(() => setOffline(true), OFFLINE_AFTER_MS);
  };
  const onOnline = (): void => {
    clearTimeout(timer);
    timer = undefined;
    setOffline(false);
  };
  const stop = new AbortController();
  window.addEventListener('offline', onOffline, { signal: stop.signal });
  window.addEventListener('online', onOnline, { signal: stop.signal });
  if (!navigator.onLine) onOffline();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
