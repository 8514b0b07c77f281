import { vi } from 'vitest';

/** Waits until the assertion holds, for ten seconds at most, which is enough even on a busy machine. */
export const eventually = (assertion: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(assertion, { timeout: 10_000, interval: 10 });
