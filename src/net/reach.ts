import { awayAtom } from '#src/state/connection.ts';
import { store } from '#src/state/store.ts';

// Whether the server can be reached, as every call finds out. While it cannot, it is asked again and again, so that a
// server that returns is noticed within five seconds: the longest wait, and the time that a try may take.

const WAITS_MS = [1000, 2000, 3000] as const;
const TRY_MS = 2000;
/**
 * A call without an answer for this long is slow, or its server is gone without a word, as one behind a lost network
 * is.
 */
const SLOW_MS = 5000;

const listeners = new Set<() => void>();
let returns = 0;
let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;
let knock: (signal: AbortSignal) => Promise<unknown> = () => Promise.reject(new Error('nobody said how to try'));

/** Says how to ask the server for a sign of life: any answer is one. */
export function tryBy(ask: typeof knock): void {
  knock = ask;
}

/** Called when a call did not reach the server. */
export function lost(): void {
  if (!store.get(awayAtom)) wait();
}

/** Called when the server answered anything. */
export function reached(): void {
  if (!store.get(awayAtom)) return;
  tries = 0;
  clearTimeout(timer);
  store.set(awayAtom, undefined);
  returns++;
  for (const listener of listeners) listener();
}

/** Calls back whenever the server is back. @returns a function that stops it. */
export function onReturn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often the server came back since the console was opened. */
export const returnsNow = (): number => returns;

/**
 * Watches a call from when it is sent: while it has no answer, the server is asked for a sign of life.
 * @returns ends that
 */
export function watchCall(): () => void {
  const slow = setInterval(() => void askOnce(), SLOW_MS);
  return () => clearInterval(slow);
}

async function askOnce(): Promise<void> {
  if (asking || store.get(awayAtom)) return;
  asking = true;
  try {
    await knock(AbortSignal.timeout(TRY_MS));
  } catch {
    lost();
  } finally {
    asking = false;
  }
}

function wait(): void {
  const ms = WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)] ?? 0;
  // Not all consoles at the same moment.
  const after = ms * (0.75 + Math.random() / 4);
  clearTimeout(timer);
  timer = setTimeout(() => void tryNow(), after);
  store.set(awayAtom, { nextTry: Date.now() + after });
}

async function tryNow(): Promise<void> {
  store.set(awayAtom, { nextTry: undefined });
  try {
    await knock(AbortSignal.timeout(TRY_MS));
    reached();
  } catch {
    // Not there yet. Whoever called says what went wrong; this only waits.
    if (store.get(awayAtom)) wait();
  }
}
