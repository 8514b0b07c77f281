import { parseLine } from '#commands/line/line.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { namedItems } from './named-items.ts';

/** Text pasted into the palette from a terminal, a page or a sheet. */
export type PastedText =
  | { readonly kind: 'text'; readonly text: string }
  /** Several commands, one per line. */
  | { readonly kind: 'lines'; readonly text: string };

/** Matches the prompt and the program that precede a command in a terminal. */
const BEFORE = /^\s*(?:[$>]\s+)?(?:(?:npx\s+(?:--?\S+\s+)*)?quarterdeck\s+|\$\s+)/;

/** Strips the prompt and the program before a command; `isLine` if it had either, so it can only be a line. */
export function commandText(typed: string): { readonly text: string; readonly isLine: boolean } {
  const [before = ''] = BEFORE.exec(typed) ?? [];
  return { text: typed.slice(before.length), isLine: before !== '' };
}

/** The commands of a text, one per line; skips comments and empty lines, and joins lines that end with a backslash. */
export function commandLines(text: string): readonly string[] {
  return text
    .replace(/\s*\\\r?\n\s*/g, ' ')
    .split(/\r?\n/)
    .map((line) => commandText(line).text.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export function readPasted(pasted: string, registry: Registry): PastedText {
  const text = pasted.trim();
  if (!text.includes('\n')) return { kind: 'text', text };
  if (namedItems(text, registry).length > 0) return { kind: 'text', text: text.split(/\s*\r?\n\s*/).join(', ') };
  const lines = commandLines(text);
  const isScript = lines.some((line) => parseLine(line, registry).command !== undefined);
  if (isScript && lines.length > 1) return { kind: 'lines', text };
  return { kind: 'text', text: isScript ? (lines[0] ?? '') : text.split(/\s+/).join(' ') };
}
