import { expect, test } from 'vitest';

import { countVerdicts, differenceOf } from './difference.ts';

const fields = (value: Record<string, never> | object) => ({ fields: value as Record<string, never> });

test('equal results are the same in any order', () => {
  expect(differenceOf(fields({ a: 1, b: [1, { c: 'x' }] }), fields({ b: [1, { c: 'x' }], a: 1 })).verdict).toBe('same');
});

test('lists new, removed, and changed values by path', () => {
  const before = fields({ level: 1, flags: { low: true }, items: [1, 2] });
  const after = fields({ level: 2, flags: {}, items: [1, 2, 3] });
  expect(differenceOf(before, after)).toEqual({
    verdict: 'changed',
    changeCount: 4,
    changes: [
      { path: 'level', before: '1', after: '2' },
      { path: 'flags', after: '{}' },
      { path: 'items[2]', after: '3' },
      { path: 'flags.low', before: 'true' },
    ],
  });
});

test('a message that worked before and fails now is a failure', () => {
  expect(differenceOf(fields({}), { error: 'short' })).toMatchObject({ verdict: 'nowFails', error: 'short' });
});

test('a message that fails as before is the same', () => {
  expect(differenceOf({ error: 'a' }, { error: 'b' })).toMatchObject({ verdict: 'same', error: 'b' });
});

test('a message that failed before and works now is an improvement', () => {
  expect(differenceOf({ error: 'a' }, fields({})).verdict).toBe('nowWorks');
});

test('without an old definition, a message fails or works, and nothing has changed', () => {
  expect(differenceOf(undefined, { error: 'short' })).toMatchObject({ verdict: 'fails', error: 'short' });
  expect(differenceOf(undefined, fields({})).verdict).toBe('works');
});

test('keeps a limited number of changes, but counts all of them', () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index]));
  const { changes, changeCount } = differenceOf(fields({}), fields(many));
  expect([changes.length, changeCount]).toEqual([100, 300]);
});

test('counts verdicts', () => {
  expect(countVerdicts(['same', 'same', 'nowFails'])).toEqual({
    nowFails: 1,
    fails: 0,
    changed: 0,
    nowWorks: 0,
    works: 0,
    same: 2,
  });
});
