/** Quotes text for filters and lists, escaping `"` and `\`. Shell quoting is in `shell.ts`. */
export function inQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Reads from the quote at `from` to the closing quote, or to the end of the text if there is none. */
export function readQuoted(
  text: string,
  from: number,
): { readonly text: string; readonly to: number; readonly isUnclosed: boolean } {
  let value = '';
  for (let index = from + 1; index < text.length; index++) {
    const char = text[index] ?? '';
    if (char === '"') return { text: value, to: index + 1, isUnclosed: false };
    if (char === '\\' && (text[index + 1] === '"' || text[index + 1] === '\\')) value += text[++index];
    else value += char;
  }
  return { text: value, to: text.length, isUnclosed: true };
}

/**
 * Prints a list as `a,b`. Quotes items that would be misread, including `-` and `@file`, which refer to other input.
 */
export function printList(items: readonly string[]): string {
  return items.map((item) => (/^$|^\s|\s$|[",]|^-$|^@/.test(item) ? inQuotes(item) : item)).join(',');
}

/** Returns pasted lines or cells as a list. Undefined if the text is a single item. */
export function pastedList(text: string): string | undefined {
  const items = text
    .split(/[\r\n\t]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.length > 1 ? printList(items) : undefined;
}

/** Parses a list. Ignores surrounding spaces and empty items unless they are quoted. */
export function parseList(text: string): readonly string[] {
  const items: string[] = [];
  let [value, isQuoted] = ['', false];
  const finishItem = (): void => {
    const item = isQuoted ? value : value.trim();
    if (isQuoted || item) items.push(item);
    [value, isQuoted] = ['', false];
  };
  for (let index = 0; index < text.length;) {
    if (text[index] === ',') {
      finishItem();
      index++;
    } else if (text[index] === '"' && value.trim() === '' && !isQuoted) {
      const parsed = readQuoted(text, index);
      [value, isQuoted, index] = [parsed.text, true, parsed.to];
    } else if (isQuoted && /\s/.test(text[index] ?? '')) index++;
    else value += text[index++];
  }
  finishItem();
  return items;
}
