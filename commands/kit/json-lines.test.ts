import { expect, test } from 'vitest';

import { jsonLines } from './json-lines.ts';

test('formats JSON as one name and value per line', () => {
  const json = {
    'site code': 'K12',
    antenna: { height: 3, owner: null, parts: {} },
    channels: [1, 2],
    none: [],
    readings: [{ value: 7 }, { value: 8 }],
    relayed: true,
  };
  expect(jsonLines(json).split('\n')).toEqual([
    'site code: K12',
    'antenna › height: 3',
    'antenna › owner: –',
    'antenna › parts: –',
    'channels: 1, 2',
    'none: –',
    'readings › 1 › value: 7',
    'readings › 2 › value: 8',
    'relayed: true',
  ]);
  expect([jsonLines({}), jsonLines(undefined)]).toEqual(['', '']);
});
