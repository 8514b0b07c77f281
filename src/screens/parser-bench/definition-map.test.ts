import { expect, test } from 'vitest';

import { mapDefinition } from './definition-map.ts';

test.each([
  [
    'block style',
    'seq:\n  - id: raw\n    type: body\ntypes:\n  body:\n    seq:\n      - id: level\n        type: u2\n',
    7,
    8,
  ],
  ['flow style', '{seq: [{id: raw, type: body}],\ntypes: {body: {seq: [\n{id: level,\ntype: u2}\n]}}}', 3, 4],
  [
    'quoted keys',
    '"seq":\n- "id": "raw"\n  "type": "body"\n"types": {"body": {"seq": [{"id": "level", "type": "u2"}]}}',
    4,
    4,
  ],
])('finds the lines of a nested field in %s', (_, definition, from, to) => {
  expect(mapDefinition(definition).field('raw.level')).toEqual({ lines: { from, to }, type: 'u2', sources: [] });
});

test('finds the fields that an instance is computed from', () => {
  const map = mapDefinition(
    '{seq: [{id: raw, type: u2}, {id: scale, type: u1}], instances: {level: {value: raw * scale}}}',
  );
  expect(map.field('level')).toMatchObject({ lines: { from: 1, to: 1 }, sources: ['raw', 'scale'] });
});

test('has no fields for a text that is no definition', () => {
  const texts = ['', '[', `[${','.repeat(200_000)}`, '? '.repeat(50_000)];
  expect(texts.map((text) => mapDefinition(text).field('level'))).toEqual(texts.map(() => undefined));
});
