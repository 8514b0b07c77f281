import type { Arrival } from './account.ts';
import { browserStorage } from '#src/state/browser-storage.ts';

/**
 * What is kept in this browser of whom the identity provider signed in, so that a page without one need not ask the
 * provider before it shows the sign-in form. It grants nothing.
 */
export interface Mark {
  readonly id: string;
  readonly arrival?: Arrival | undefined;
}

const KEY = 'quarterdeck-identity';

export function readMark(): Mark | undefined {
  const text = browserStorage.get(KEY);
  if (text === undefined) return undefined;
  try {
    const { id, arrival } = JSON.parse(text) as Partial<Mark>;
    return typeof id === 'string' ? { id, arrival: arrivals.find((item) => item === arrival) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const arrivals: readonly Arrival[] = ['password', 'google', 'created'];

/** Written only when it says something new: other tabs hear of it. */
export function writeMark(mark: Mark): void {
  const text = JSON.stringify(mark);
  if (browserStorage.get(KEY) !== text) browserStorage.set(KEY, text);
}

export function forgetMark(): void {
  browserStorage.remove(KEY);
}
