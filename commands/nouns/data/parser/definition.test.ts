import { expect, test } from 'vitest';

import { fieldChanges, nearTypes, parseOutline } from './definition.ts';

const DEFINITION = `meta:
  id: level
  title: "Level probe" # of Sensara
seq:
- id: frame
  type: u1
- type: header
  id: header
types:
  header:
    seq:
      - id: inner
        type: u1
instances:
  level:
    value: 1
  'height':
    value: 2
`;

test('an outline has the title and the outermost fields', () => {
  expect(parseOutline(DEFINITION)).toEqual({
    title: 'Level probe',
    fields: ['frame', 'header', 'level', 'height'],
    lineCount: 18,
  });
  expect(parseOutline('seq:\n  - id: a\n    type: u1\n').fields).toEqual(['a']);
  expect(parseOutline('')).toEqual({ title: undefined, fields: [], lineCount: 0 });
});

test('compares the fields of two definitions', () => {
  expect(fieldChanges('seq:\n  - id: a\n  - id: b\n', 'seq:\n  - id: b\n  - id: c\n')).toEqual({
    added: ['c'],
    removed: ['a'],
  });
});

test('suggests declared and built-in types for an unknown one', () => {
  const problem = 'Line 6: Unable to find type "headr", searching from level (seq/0/type).';
  expect(nearTypes(problem, DEFINITION)[0]).toBe('header');
  expect(nearTypes(problem.replace('headr', 'u5'), DEFINITION)).toContain('u4');
  expect(nearTypes("Line 1: This isn't valid YAML.", DEFINITION)).toEqual([]);
});
