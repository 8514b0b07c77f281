import { expect, test } from 'vitest';

import { diffLines } from '#commands/nouns/data/parser/bench/line-diff.ts';

import { changedLines } from './editor.ts';

test.each([
  [
    'a\nb\nc\nd',
    'x\nb\nc\ny',
    [
      { from: 1, to: 1 },
      { from: 4, to: 4 },
    ],
  ],
  ['a\nb', 'a\nx\ny\nb', [{ from: 2, to: 3 }]],
  // Only the lines around show that lines were removed.
  ['a\nb\nc', 'a\nc', [{ from: 2, to: 2 }]],
  ['a\nb', 'a', [{ from: 1, to: 1 }]],
  ['a', 'a', []],
])('of %j and %j, marks the lines of the new text that differ', (before, after, ranges) => {
  expect(changedLines(diffLines(before, after), after)).toEqual(ranges);
});
