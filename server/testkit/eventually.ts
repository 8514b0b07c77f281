import { vi } from 'vitest';

/** Until the assertion holds. However busy the machine is, it will within ten seconds. */
export const eventually = (assertion: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(assertion, { timeout: 10_000, interval: 10 });
