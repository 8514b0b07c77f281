import { expect, test } from 'vitest';

import { fieldChanges, nearTypes, parseOutline } from './outline.ts';

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
  });
  expect(parseOutline('seq:\n  - id: a\n    type: u1\n').fields).toEqual(['a']);
  expect(parseOutline('')).toEqual({ title: undefined, fields: [] });
});

test.each([
  [
    'flow style',
    '{meta: {id: level, title: Level probe}, seq: [{id: frame, type: u1}], instances: {level: {value: 1}}}',
  ],
  ['JSON', '{"meta": {"id": "level", "title": "Level probe"}, "seq": [{"id": "frame"}], "instances": {"level": {}}}'],
  [
    'quoted keys',
    `"meta":\n  'title': Level probe\n"seq":\n  - "id": 'frame'\n"instances":\n  "level":\n    value: 1\n`,
  ],
  ['both styles', 'meta: {title: Level probe}\nseq:\n- {type: u1, id: frame}\ninstances:\n  level: {value: 1}\n'],
  [
    'dashes apart',
    'meta:\n  title: >-\n    Level\n    probe\nseq:\n  -\n    id: frame\ninstances: {? level : {value: 1}}\n',
  ],
])('reads %s', (_, definition) => {
  expect(parseOutline(definition)).toEqual({ title: 'Level probe', fields: ['frame', 'level'] });
});

test.each([
  ['a list', '- id: a'],
  ['keys that are no text', '{[a]: 1, meta: {title: [x], id: null}, seq: [a, {id: {}}], instances: {[b]: 1}}'],
  ['aliases', 'x: &x [*x]\nmeta: *x\nseq: *x'],
  ['deep nesting', '['.repeat(50_000)],
  ['thousands of mistakes', `[${','.repeat(200_000)}`],
  ['a very long text', `meta: {id: a}\n${'#'.repeat(300_000)}`],
])("leaves out what can't be read: %s", (_, definition) => {
  expect(parseOutline(definition)).toEqual({ title: undefined, fields: [] });
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
  expect(nearTypes(problem, '{"types": {header: {}}, seq: [{id: a, type: headr}]}')[0]).toBe('header');
  expect(nearTypes("Line 1: This isn't valid YAML.", DEFINITION)).toEqual([]);
});
