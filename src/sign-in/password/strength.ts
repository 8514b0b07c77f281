/** Levels of password strength, from 0 (spec 4). */
export const LEVELS = ['risky', 'guessable', 'weak', 'safe', 'secure'] as const;
export type Level = (typeof LEVELS)[number];

/** Percentage of the bar filled at each level (spec 4). */
export const FILL_PERCENT: Readonly<Record<Level, number>> = {
  risky: 10,
  guessable: 32.5,
  weak: 55,
  safe: 77.5,
  secure: 100,
};

const MAX_SCORE = LEVELS.length - 1;

/** Rates a password (spec 5). Lengths are in Unicode characters. The common passwords must be in lowercase. */
export function passwordStrength(password: string, commonPasswords: ReadonlySet<string>): Level {
  return LEVELS[Math.min(score(password, commonPasswords), MAX_SCORE)] ?? 'risky';
}

function score(password: string, commonPasswords: ReadonlySet<string>): number {
  const length = [...password].length;
  if (length <= 4 || commonPasswords.has(password.toLowerCase())) return 0;
  const hasLetters = /\p{L}/u.test(password);
  const hasDigits = /\p{N}/u.test(password);
  const hasSpecialCharacter = /[^\p{L}\p{N}]/u.test(password);
  const isMixedCase = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password);
  return (
    Number(hasLetters && hasDigits) +
    Number(isMixedCase) +
    Number(hasSpecialCharacter && (hasLetters || hasDigits)) +
    lengthPoints(length, /(.)\1{4}/su.test(password))
  );
}

/**
 * The spec does not say whether a long run of one character also forfeits the points above 20 characters. Here it does,
 * because the same letter 21 times adds no strength.
 */
function lengthPoints(length: number, hasLongRun: boolean): number {
  if (length <= 8) return 0;
  if (length <= 12 || hasLongRun) return 1;
  return length > 20 ? 3 : 2;
}
