import { browserStorage } from '#src/state/browser-storage.ts';

// The account stores whether its user has seen the introduction. The browser stores it too, in case the account cannot
// be changed.

const tourKey = (userId: string): string => `quarterdeck-tour:${userId}`;

/** Checks whether a user has seen the introduction in this browser. */
export function hasSeenTourInBrowser(userId: string): boolean {
  return browserStorage.get(tourKey(userId)) !== undefined;
}

export function rememberTour(userId: string): void {
  browserStorage.set(tourKey(userId), 'yes');
}
