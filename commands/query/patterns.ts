import type { Pattern } from '#commands/model/filter.ts';

/** True if the pattern consists only of stars, which match any value. */
export function isEverything(parts: readonly string[]): boolean {
  return parts.every((part) => part === '');
}

/** Returns a pattern in canonical form, with consecutive stars replaced by one. */
export function createPattern(parts: readonly string[]): Pattern {
  return parts.filter((part, index) => part !== '' || index === 0 || index === parts.length - 1);
}

/** Normalizes a name for comparison. Converts it to lowercase and replaces `-` and spaces with `_`. */
export function looseName(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '_');
}

/**
 * True if a value starts with the first part, ends with the last part, and contains the others in between, in order.
 */
export function matchesPattern(pattern: Pattern, value: string): boolean {
  const text = looseName(value);
  const [first = '', ...others] = pattern.map(looseName);
  const last = others.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const start = text.indexOf(part, position);
    if (start < 0) return false;
    position = start + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
