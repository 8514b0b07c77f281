import { browserStorage } from '#src/state/browser-storage.ts';

// The account remembers who has seen the introduction; this browser does too, in case the account cannot be changed.

const tourKey = (userId: string): string => `quarterdeck-tour:${userId}`;

/** Checks whether a user has seen the introduction in this browser. */
export function sawTour(userId: string): boolean {
  return browserStorage.get(tourKey(userId)) !== undefined;
}

export function rememberTour(userId: string): void {
  browserStorage.set(tourKey(userId), 'yes');
}
