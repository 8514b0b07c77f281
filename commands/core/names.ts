/** Letters that turn the direction of all that follows them, and those that no font shows. */
const UNSEEN = /[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A name that somebody gave themselves, as it may stand within a sentence: it stays text of its own, and changes nothing of what is written
 * around it. Marks that a script needs to be read are kept.
 */
export function plainName(name: string): string {
  return name.replace(UNSEEN, '').trim();
}
