import type { Pattern } from '#commands/model/filter.ts';

/** Stars and nothing else: any value at all. */
export function isEverything(parts: readonly string[]): boolean {
  return parts.every((part) => part === '');
}

/** A pattern in its one form: two stars in a row are one. */
export function patternOf(parts: readonly string[]): Pattern {
  return parts.filter((part, index) => part !== '' || index === 0 || index === parts.length - 1);
}

/** A name as patterns and options compare it: in any case, with `-` or a space for `_`. */
export function looseName(text: string): string {
  return text.toLowerCase().replace(/[\s-]/g, '_');
}

/** Whether a value fits: it begins with the first part, ends with the last, and has the others in between, in order. */
export function matchesPattern(pattern: Pattern, value: string): boolean {
  const text = looseName(value);
  const [first = '', ...others] = pattern.map(looseName);
  const last = others.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
