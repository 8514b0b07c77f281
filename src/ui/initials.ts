/** The first letter as readers see it, even if it takes two UTF-16 units. */
export function firstLetter(text: string): string {
  return Array.from(text.trim())[0] ?? '';
}

/** Spec 3: the first letters of the first and the last word of the name, else the first letter of the email. */
export function initials(name: string, email = ''): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0] ?? email.trim()];
  return letters
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toUpperCase();
}
