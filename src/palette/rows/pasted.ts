import { parseLine } from '#commands/line/line.ts';
import type { Registry } from '#commands/registry/registry.ts';

import { namedItems } from './named-items.ts';

/** What somebody who copied from a terminal, a page or a sheet pastes into the palette. */
export type Pasted =
  | { readonly kind: 'text'; readonly text: string }
  /** Several commands, a line each. */
  | { readonly kind: 'lines'; readonly text: string };

/** What stands before a command in a terminal: the prompt, and the program. */
const BEFORE = /^\s*(?:[$>]\s+)?(?:(?:npx\s+(?:--?\S+\s+)*)?quarterdeck\s+|\$\s+)/;

/** A line without what a terminal has before it; `isLine` where that was there, so that it can only be meant as one. */
export function commandText(typed: string): { readonly text: string; readonly isLine: boolean } {
  const [before = ''] = BEFORE.exec(typed) ?? [];
  return { text: typed.slice(before.length), isLine: before !== '' };
}

/** The commands of a text, one a line; comments and empty lines say nothing, a backslash at the end goes on. */
export function commandLines(text: string): readonly string[] {
  return text
    .replace(/\s*\\\r?\n\s*/g, ' ')
    .split(/\r?\n/)
    .map((line) => commandText(line).text.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

export function readPasted(pasted: string, registry: Registry): Pasted {
  const text = pasted.trim();
  if (!text.includes('\n')) return { kind: 'text', text };
  if (namedItems(text, registry).length > 0) return { kind: 'text', text: text.split(/\s*\r?\n\s*/).join(', ') };
  const lines = commandLines(text);
  const isScript = lines.some((line) => parseLine(line, registry).command !== undefined);
  if (isScript && lines.length > 1) return { kind: 'lines', text };
  return { kind: 'text', text: isScript ? (lines[0] ?? '') : text.split(/\s+/).join(' ') };
}
