import { browserStorage } from '#src/state/browser-storage.ts';

// The account remembers who has seen the introduction; this browser does too, in case the account cannot be changed.

const tourKey = (personId: string): string => `quarterdeck-tour:${personId}`;

/** Checks whether this person has seen the introduction in this browser. */
export function sawTour(personId: string): boolean {
  return browserStorage.get(tourKey(personId)) !== undefined;
}

export function rememberTour(personId: string): void {
  browserStorage.set(tourKey(personId), 'yes');
}
