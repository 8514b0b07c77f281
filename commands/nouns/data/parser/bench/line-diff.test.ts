import fc from 'fast-check';
import { expect, test } from 'vitest';

import { countChangedLines, diffLines } from './line-diff.ts';

/** Applies changes to the old text, with the lines of the new one. */
function apply(before: string, after: string): string {
  const [old, current] = [before.split('\n'), after.split('\n')];
  for (const { oldStart, removed, newStart, added } of diffLines(before, after).toReversed())
    old.splice(oldStart, removed, ...current.slice(newStart, newStart + added));
  return old.join('\n');
}

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('changes the old text to the new one', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(apply(before, after)).toBe(after);
    }),
  );
});

test('finds no change in an equal text, and the same number of changes in both directions', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(diffLines(before, before)).toEqual([]);
      const count = (from: string, to: string) =>
        diffLines(from, to).reduce((sum, { removed, added }) => sum + removed + added, 0);
      expect(count(before, after)).toBe(count(after, before));
    }),
  );
});

test('counts only the lines that differ, and not those between them', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const changed = lines.with(2, 'other').with(25, 'other');
  const changes = diffLines(lines.join('\n'), changed.join('\n'));
  expect(changes).toEqual([
    { oldStart: 2, removed: 1, newStart: 2, added: 1 },
    { oldStart: 25, removed: 1, newStart: 25, added: 1 },
  ]);
  expect(countChangedLines(changes)).toBe(2);
  expect(diffLines('a\nb\nc', 'a\nc')).toEqual([{ oldStart: 1, removed: 1, newStart: 1, added: 0 }]);
  expect(diffLines('a\nc', 'a\nb\nc')).toEqual([{ oldStart: 1, removed: 0, newStart: 1, added: 1 }]);
});

test('takes texts with too many differences as one change', () => {
  const many = (name: string) => Array.from({ length: 20_000 }, (_, index) => `${name} ${index}`).join('\n');
  expect(diffLines(many('a'), many('b'))).toEqual([{ oldStart: 0, removed: 20_000, newStart: 0, added: 20_000 }]);
});
