import { outageAtom } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';

// Tracks whether the server is reachable, based on the outcome of every call. Polls an unreachable server to detect
// within five seconds (the longest delay plus the ping timeout) that it is reachable again.

const RETRY_DELAYS_MS = [1000, 2000, 3000] as const;
const PING_TIMEOUT_MS = 2000;
/** On a slow connection that is busy, a ping takes several seconds. */
const FIRST_PING_TIMEOUT_MS = 5000;
/**
 * After this time without a response, either the call is slow or the server has become unreachable without an error.
 */
const SLOW_MS = 5000;

const listeners = new Set<() => void>();
let responses = 0;
let reconnects = 0;
let attempts = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let isPinging = false;
let ping: (signal: AbortSignal) => Promise<unknown> = () => Promise.reject(new Error('No ping was set.'));

/** Sets the function that polls the server. It rejects if the server is unreachable. */
export function setPing(newPing: typeof ping): void {
  ping = newPing;
}

/** Call this when a call did not reach the server. */
export function reportUnreachable(): void {
  if (!store.get(outageAtom)) scheduleRetry();
}

/** Call this on any response from the server. */
export function reportReachable(): void {
  responses++;
  if (!store.get(outageAtom)) return;
  attempts = 0;
  clearTimeout(timer);
  store.set(outageAtom, undefined);
  reconnects++;
  for (const listener of listeners) listener();
}

/**
 * Calls `listener` whenever the server becomes reachable again.
 *
 * @returns a function that unsubscribes the listener
 */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns how often the server has become reachable again since the console was opened. */
export const reconnectCount = (): number => reconnects;

/**
 * Polls the server while a call that was just sent has no response.
 *
 * @returns a function that stops watching
 */
export function watchCall(): () => void {
  const pingTimer = setInterval(() => void pingOnce(), SLOW_MS);
  return () => clearInterval(pingTimer);
}

async function pingOnce(): Promise<void> {
  if (isPinging || store.get(outageAtom)) return;
  isPinging = true;
  const responsesBefore = responses;
  try {
    await ping(AbortSignal.timeout(FIRST_PING_TIMEOUT_MS));
  } catch {
    // If the server responded to another call meanwhile, it is only slow.
    if (responses === responsesBefore) reportUnreachable();
  } finally {
    isPinging = false;
  }
}

function scheduleRetry(): void {
  const base = RETRY_DELAYS_MS[Math.min(attempts++, RETRY_DELAYS_MS.length - 1)] ?? 0;
  // Jitter keeps consoles from all retrying at the same time.
  const delay = base * (0.75 + Math.random() / 4);
  clearTimeout(timer);
  timer = setTimeout(() => void retry(), delay);
  store.set(outageAtom, { nextAttempt: Date.now() + delay });
}

async function retry(): Promise<void> {
  store.set(outageAtom, { nextAttempt: undefined });
  try {
    await ping(AbortSignal.timeout(PING_TIMEOUT_MS));
    reportReachable();
  } catch {
    // The server is still unreachable. The callers report their own errors.
    if (store.get(outageAtom)) scheduleRetry();
  }
}
