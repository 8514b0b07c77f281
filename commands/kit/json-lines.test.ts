import { expect, test } from 'vitest';

import { jsonLines, readableLines } from './json-lines.ts';

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

test('writes keys as words, and values as they are', () => {
  const json = {
    install_date: '2026_01_31',
    siteCode: 'K12',
    'SLA-rate': 4,
    antenna: { mountHeight: 3, parts: [{ serial_no: 'a_b' }] },
    'site code': 'x',
  };
  expect(readableLines(json).split('\n')).toEqual([
    'Install date: 2026_01_31',
    'Site code: K12',
    'SLA rate: 4',
    'Antenna › mount height: 3',
    'Antenna › parts › 1 › serial no: a_b',
    'Site code: x',
  ]);
  expect([readableLines({}), readableLines(undefined)]).toEqual(['', '']);
});
