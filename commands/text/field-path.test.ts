import { describe, expect, test } from 'vitest';

import { canonicalPath, pathKey, stepsOf } from './field-path.ts';

describe('pathKey', () => {
  test.each([
    ['level', '$.level', '.level', "$['level']", '["level"]', ' level '],
    ['a.b[0]', '$.a.b[0]', "a['b'][0]", "$['a']['b']['0']"],
    ["['flow rate']", `$["flow rate"]`],
    ['not a path', ' not a path'.trim()],
  ])('is equal for spellings of %s', (...spellings) => {
    expect(new Set(spellings.map(pathKey)).size).toBe(1);
  });

  test.each([
    ['a.b', "['a.b']"],
    ['a', 'A'],
    ['a[0]', 'a[1]'],
    ['not a path', 'neither is this'],
  ])('differs for %s and %s', (a, b) => {
    expect(pathKey(a)).not.toBe(pathKey(b));
  });
});

test('a path in another spelling is printed as results name it', () => {
  expect(["$['a'].b[0]", '.a', '$.a'].map(canonicalPath)).toEqual(['a.b[0]', 'a', 'a']);
  expect(stepsOf('$')).toBeUndefined();
});
