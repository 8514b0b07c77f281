/** Who chose to do without a second factor is not asked again in this browser (spec 2: remembered per user). */
const skipKey = (userId: string): string => `quarterdeck-no-second-factor:${userId}`;

export function skippedSecondFactor(userId: string): boolean {
  return window.localStorage.getItem(skipKey(userId)) !== null;
}

export function rememberSkip(userId: string): void {
  window.localStorage.setItem(skipKey(userId), 'yes');
}
