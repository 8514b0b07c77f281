import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Edit, editsOf } from './edits.ts';

export const root = resolve(import.meta.dirname, '../..');

/** One bug in one file, named by what it does to the text and not by a line number. */
export interface Mutant {
  readonly file: string;
  readonly within: string;
  readonly operator: string;
  readonly line: number;
  /** The lines that it touches, before and after. */
  readonly original: string;
  readonly mutated: string;
  /** The whole file with the bug in it. */
  readonly code: string;
}

/** What tells a mutant from all others, however its file moves around it. */
export type MutantName = Pick<Mutant, 'file' | 'within' | 'original' | 'mutated'>;

export const nameOf = ({ file, within, original, mutated }: MutantName): string =>
  createHash('sha256').update([file, within, original, mutated].join('\0')).digest('hex').slice(0, 12);

const LONGEST = 200;
const shortened = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`);

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

export function mutantsOf(file: string, source = read(file)): Mutant[] {
  const seen = new Map<string, number>();
  const codes = new Set<string>();
  return editsOf(file, source).flatMap((edit) => {
    const code = source.slice(0, edit.start) + edit.text + source.slice(edit.end);
    // Two operators may say the same.
    if (codes.has(code)) return [];
    codes.add(code);
    const mutant = { file, code, ...described(source, edit) };
    const name = nameOf(mutant);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? [mutant] : [{ ...mutant, mutated: `${mutant.mutated} (${before + 1})` }];
  });
}

function described(source: string, { start, end, text, operator, within }: Edit) {
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const newline = source.indexOf('\n', end);
  const to = newline === -1 ? source.length : newline;
  const flat = (lines: string) => shortened(lines.replace(/\s+/g, ' ').trim());
  return {
    operator,
    within,
    line: source.slice(0, start).split('\n').length,
    original: flat(source.slice(from, to)),
    mutated: flat(source.slice(from, start) + text + source.slice(end, to)),
  };
}
