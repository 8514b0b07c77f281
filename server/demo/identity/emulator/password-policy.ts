/** The requirements for a password, in the SDK's format (GET /v2/passwordPolicy). Lengths are in characters. */
export const passwordPolicy = {
  customStrengthOptions: {
    minPasswordLength: 8,
    maxPasswordLength: 4096,
    containsLowercaseCharacter: true,
    containsUppercaseCharacter: true,
    containsNumericCharacter: true,
    containsNonAlphanumericCharacter: true,
  },
  allowedNonAlphanumericCharacters: [...'^$*.[]{}()?"!@#%&/\\,><\':;|_~`+=- '],
  enforcementState: 'ENFORCE',
  // Users with an older, weaker password can still sign in with it.
  forceUpgradeOnSignin: false,
  schemaVersion: 1,
} as const;

/** Returns the unmet requirements, in Google's words; empty if there are none. */
export function missingRequirements(password: string): string[] {
  const { minPasswordLength, maxPasswordLength } = passwordPolicy.customStrengthOptions;
  const allowedCharacters: readonly string[] = passwordPolicy.allowedNonAlphanumericCharacters;
  const rules: readonly [boolean, string][] = [
    [password.length >= minPasswordLength, `Password must contain at least ${minPasswordLength} characters`],
    [password.length <= maxPasswordLength, `Password may contain at most ${maxPasswordLength} characters`],
    [/[a-z]/.test(password), 'Password must contain a lower case character'],
    [/[A-Z]/.test(password), 'Password must contain an upper case character'],
    [/[0-9]/.test(password), 'Password must contain a numeric character'],
    [allowedCharacters.some((value) => password.includes(value)), 'Password must contain a non-alphanumeric character'],
  ];
  return rules.flatMap(([isMet, sentence]) => (isMet ? [] : [sentence]));
}
