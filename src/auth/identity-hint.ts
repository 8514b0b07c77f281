import { browserStorage } from '#src/state/browser-storage.ts';

import type { Arrival } from './account.ts';

/**
 * Records in this browser whom the identity provider signed in. If there is no hint, a page can show the sign-in form
 * without contacting the provider. A hint grants no access.
 */
export interface IdentityHint {
  readonly id: string;
  readonly arrival?: Arrival | undefined;
}

const KEY = 'quarterdeck-identity';

export function readIdentityHint(): IdentityHint | undefined {
  const text = browserStorage.get(KEY);
  if (text === undefined) return undefined;
  try {
    const { id, arrival } = JSON.parse(text) as Partial<IdentityHint>;
    return typeof id === 'string' ? { id, arrival: arrivals.find((item) => item === arrival) } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

const arrivals: readonly Arrival[] = ['password', 'google', 'created'];

/** Writes only changes, because other tabs are notified. */
export function writeIdentityHint(hint: IdentityHint): void {
  const text = JSON.stringify(hint);
  if (browserStorage.get(KEY) !== text) browserStorage.set(KEY, text);
}

export function clearIdentityHint(): void {
  browserStorage.remove(KEY);
}
