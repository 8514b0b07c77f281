import { browserStorage } from '#src/state/browser-storage.ts';

// A user who declined a second factor isn't asked for one again in this browser (spec 2: remembered per user).

const skipKey = (userId: string): string => `quarterdeck-no-second-factor:${userId}`;

export function hasSkippedSecondFactor(userId: string): boolean {
  return browserStorage.get(skipKey(userId)) !== undefined;
}

export function rememberSkip(userId: string): void {
  browserStorage.set(skipKey(userId), 'yes');
}
