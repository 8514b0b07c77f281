export function isWordStart(text: string, index: number): boolean {
  const [before, char] = [text.charAt(index - 1), text.charAt(index)];
  if (!isWordCharacter(char)) return false;
  return !isWordCharacter(before) || (isUpper(char) && !isUpper(before));
}

export function isWordCharacter(char: string): boolean {
  const code = char.charCodeAt(0);
  if (code > 127) return /[\p{L}\p{N}]/u.test(char);
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isUpper(char: string): boolean {
  return char !== char.toLowerCase();
}

/** Lowercases text and removes accents, keeping the number of letters. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (/^[\n -~]*$/.test(lower)) return lower;
  return Array.from({ length: text.length }, (_, index) => foldLetter(text.charAt(index))).join('');
}

function foldLetter(char: string): string {
  const baseLetter = char.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return baseLetter.length === 1 ? baseLetter : char;
}

/** Returns a mask with a bit for each letter from a to z. Other letters share these bits. */
export function maskOf(letters: string): number {
  let mask = 0;
  // A shift uses only the lowest five bits of the code.
  for (let index = 0; index < letters.length; index++) mask |= 1 << letters.charCodeAt(index);
  return mask;
}
