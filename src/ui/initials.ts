/** Returns the whole first letter, even if it takes two UTF-16 units. */
export function firstLetter(text: string): string {
  return Array.from(text.trim())[0] ?? '';
}

/**
 * Returns the initials of the first and last words of the name, of its only word, or of the email if there is no name
 * (spec 3).
 */
export function initials(name: string, email = ''): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? email.trim()];
  return letters
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toUpperCase();
}
