import type { Change, ChangedLine } from '#commands/model/plan.ts';
import { message } from '#commands/text/message.ts';

import { diffLines } from './bench/line-diff.ts';
import { fieldLines } from './definition-lines.ts';

// Load this module on demand, like the YAML parser.

/** The maximum number of changed lines in a plan. */
const MAX_LINES = 6;

/** Replaces two definitions by the lines that differ. */
export function withLines({ id, label, field }: Change, before: string, after: string): Change {
  const lines = changedLines(before, after);
  const entriesOf = (side: 'before' | 'after') => {
    const texts = lines.flatMap((line) => line[side] ?? []);
    const rest = texts.length - MAX_LINES;
    return [...texts.slice(0, MAX_LINES), ...(rest > 0 ? [message('parser:plan.moreLines', { count: rest })] : [])];
  };
  return {
    id,
    label,
    field,
    added: entriesOf('after'),
    removed: entriesOf('before'),
    lines: { shown: lines.slice(0, MAX_LINES), moreCount: Math.max(0, lines.length - MAX_LINES) },
  };
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** Returns the lines that differ, without empty ones. A line and its replacement are one change. */
function changedLines(before: string, after: string): readonly ChangedLine[] {
  const [old, current] = [before.split('\n'), after.split('\n')];
  const [oldPart, newPart] = [fieldLines(before), fieldLines(after)];
  const linesOf = (all: readonly string[], start: number, count: number): readonly Line[] =>
    all
      .slice(start, start + count)
      .map((text, index) => ({ line: start + index + 1, text: text.trim() }))
      .filter(({ text }) => text !== '');
  const withPart = (part: string | undefined) => (part === undefined ? {} : { part });
  const removal = ({ line, text }: Line): ChangedLine => ({ line, ...withPart(oldPart(line)), before: text });
  return diffLines(before, after).flatMap((part) => {
    const removed = [...linesOf(old, part.oldStart, part.removed)];
    const added = linesOf(current, part.newStart, part.added);
    const changes = added.flatMap(({ line, text }): readonly ChangedLine[] => {
      const replaced = removed.findIndex((other) => keyOf(other.text) === keyOf(text));
      const others = removed.splice(0, replaced + 1);
      const [last] = others.slice(-1);
      return [
        ...others.slice(0, -1).map(removal),
        { line, ...withPart(newPart(line)), ...(last ? { before: last.text } : {}), after: text },
      ];
    });
    return [...changes, ...removed.map(removal)];
  });
}

/** Returns the key of a line of YAML: `id` for `- id: level`. A line and its replacement have the same one. */
const keyOf = (text: string): string => /^(?:- )?([^:#]*):/.exec(text)?.[1] ?? '';
