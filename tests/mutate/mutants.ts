import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type Edit, findEdits } from './edits.ts';

export const root = resolve(import.meta.dirname, '../..');

/** One bug in one file, identified by its effect on the text rather than by a line number. */
export interface Mutant {
  readonly file: string;
  readonly within: string;
  readonly operator: string;
  readonly line: number;
  /** The affected lines before the bug. */
  readonly original: string;
  /** The affected lines with the bug. */
  readonly mutated: string;
  /** The whole file with the bug in it. */
  readonly code: string;
}

/** The identity of a mutant, independent of its position in the file. */
export type MutantName = Pick<Mutant, 'file' | 'within' | 'original' | 'mutated'>;

export const formatName = ({ file, within, original, mutated }: MutantName): string =>
  createHash('sha256').update([file, within, original, mutated].join('\0')).digest('hex').slice(0, 12);

const MAX_LENGTH = 200;
const shorten = (text: string): string => (text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)} …`);

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8');

export function createMutants(file: string, source = readSource(file)): Mutant[] {
  const occurrences = new Map<string, number>();
  const codes = new Set<string>();
  return findEdits(file, source).flatMap((edit) => {
    const code = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
    // Two operators can produce the same code.
    if (codes.has(code)) return [];
    codes.add(code);
    const mutant = { file, code, ...describe(source, edit) };
    const name = formatName(mutant);
    const before = occurrences.get(name) ?? 0;
    occurrences.set(name, before + 1);
    return before === 0 ? [mutant] : [{ ...mutant, mutated: `${mutant.mutated} (${before + 1})` }];
  });
}

function describe(source: string, { start, end, text, operator, within }: Edit) {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const to = newline === -1 ? source.length : newline;
  const flatten = (lines: string) => shorten(lines.replace(/\s+/g, ' ').trim());
  return {
    operator,
    within,
    line: source.slice(0, start).split('\n').length,
    original: flatten(source.slice(from, to)),
    mutated: flatten(source.slice(from, start) + text + source.slice(end, to)),
  };
}
