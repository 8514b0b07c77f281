/** Double quotes as filters and lists write them: `\"` and `\\` inside. The shell's quotes are in `shell.ts`. */
export function inQuotes(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Reads from the quote at `from` to its end; a quote that is never closed takes the rest. */
export function readQuoted(
  text: string,
  from: number,
): { readonly text: string; readonly to: number; readonly unclosed: boolean } {
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '"') return { text: value, to: at + 1, unclosed: false };
    if (letter === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) value += text[++at];
    else value += letter;
  }
  return { text: value, to: text.length, unclosed: true };
}

/**
 * A list in one text: `a,b`; quoted where an item would read otherwise, or as `-` and `@file` which stand for other
 * input.
 */
export function printList(items: readonly string[]): string {
  return items.map((item) => (/^$|^\s|\s$|[",]|^-$|^@/.test(item) ? inQuotes(item) : item)).join(',');
}

/** The items of a list; spaces around them and empty ones do not count unless quoted. */
export function parseList(text: string): readonly string[] {
  const items: string[] = [];
  let [value, quoted] = ['', false];
  const end = (): void => {
    const item = quoted ? value : value.trim();
    if (quoted || item) items.push(item);
    [value, quoted] = ['', false];
  };
  for (let at = 0; at < text.length;) {
    if (text[at] === ',') {
      end();
      at++;
    } else if (text[at] === '"' && value.trim() === '' && !quoted) {
      const string = readQuoted(text, at);
      [value, quoted, at] = [string.text, true, string.to];
    } else if (quoted && /\s/.test(text[at] ?? '')) at++;
    else value += text[at++];
  }
  end();
  return items;
}
