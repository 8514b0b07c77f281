/** How strong a password is, from 0 (spec 4). */
export const LEVELS = ['risky', 'guessable', 'weak', 'safe', 'secure'] as const;
export type Level = (typeof LEVELS)[number];

/** How much of the bar each level fills, in percent (spec 4). */
export const FILL: Readonly<Record<Level, number>> = {
  risky: 10,
  guessable: 32.5,
  weak: 55,
  safe: 77.5,
  secure: 100,
};

const MOST = LEVELS.length - 1;

/** Spec 5. Lengths are in characters as people count them; `common` are well-known passwords in lower case. */
export function strengthOf(password: string, common: ReadonlySet<string>): Level {
  return LEVELS[Math.min(score(password, common), MOST)] ?? 'risky';
}

function score(password: string, common: ReadonlySet<string>): number {
  const length = [...password].length;
  if (length <= 4 || common.has(password.toLowerCase())) return 0;
  const letters = /\p{L}/u.test(password);
  const digits = /\p{N}/u.test(password);
  const special = /[^\p{L}\p{N}]/u.test(password);
  const mixedCase = /\p{Lu}/u.test(password) && /\p{Ll}/u.test(password);
  return (
    Number(letters && digits) +
    Number(mixedCase) +
    Number(special && (letters || digits)) +
    ofLength(length, /(.)\1{4}/su.test(password))
  );
}

/**
 * Whether a long run takes the points above 20 characters too is not stated; it does here, as 21 times the same
 * letter is no strength.
 */
function ofLength(length: number, longRun: boolean): number {
  if (length <= 8) return 0;
  if (length <= 12 || longRun) return 1;
  return length > 20 ? 3 : 2;
}
