import { parseLine } from '#commands/line/line.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { findIdLists } from './id-lists.ts';

/** Text pasted into the palette from a terminal, a web page, or a spreadsheet. */
export type PastedText =
  | { readonly kind: 'text'; readonly text: string }
  /** Several commands, one per line. */
  | { readonly kind: 'lines'; readonly text: string };

/** Matches the shell prompt and the program name before a command in a terminal. */
const SHELL_PREFIX = /^\s*(?:[$>]\s+)?(?:(?:npx\s+(?:--?\S+\s+)*)?quarterdeck\s+|\$\s+)/;

/** Strips the shell prompt and the program name before a command. Text that has either is always a line (`isLine`). */
export function commandText(typedText: string): { readonly text: string; readonly isLine: boolean } {
  const [prefix = ''] = SHELL_PREFIX.exec(typedText) ?? [];
  return { text: typedText.slice(prefix.length), isLine: prefix !== '' };
}

/**
 * Returns the lines of pasted text. Skips comments and empty lines, and joins each line that ends with a backslash with
 * the next line.
 */
export function commandLines(text: string): readonly string[] {
  return text
    .replace(/\s*\\\r?\n\s*/g, ' ')
    .split(/\r?\n/)
    .map((line) => commandText(line).text.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export function parsePastedText(pastedText: string, registry: Registry): PastedText {
  const text = pastedText.trim();
  if (!text.includes('\n')) return { kind: 'text', text };
  if (findIdLists(text, registry).length > 0) return { kind: 'text', text: text.split(/\s*\r?\n\s*/).join(', ') };
  const lines = commandLines(text);
  const isScript = lines.some((line) => parseLine(line, registry).command !== undefined);
  if (isScript && lines.length > 1) return { kind: 'lines', text };
  return { kind: 'text', text: isScript ? (lines[0] ?? '') : text.split(/\s+/).join(' ') };
}
