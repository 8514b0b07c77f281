import { expect, test } from 'vitest';

import { fieldLines } from './definition-lines.ts';

const DEFINITION = `meta:
  id: level
seq:
  - id: raw
    type: body
  - id: flags
    type: u1
types:
  body:
    seq:
      - id: level
        type: u2
    instances:
      depth:
        value: level * 2
`;

test('finds the field that a line belongs to', () => {
  const fieldAt = fieldLines(DEFINITION);
  const lines = DEFINITION.trim().split('\n');
  expect(lines.map((_, index) => fieldAt(index + 1))).toEqual([
    'meta',
    'meta',
    'seq',
    'raw',
    'raw',
    'flags',
    'flags',
    'types',
    'body',
    'body',
    'body.level',
    'body.level',
    'body',
    'body.depth',
    'body.depth',
  ]);
});

test('finds no field in a text that is no definition', () => {
  expect(['', '[', '? '.repeat(50_000)].map((text) => fieldLines(text)(1))).toEqual([undefined, undefined, undefined]);
});
