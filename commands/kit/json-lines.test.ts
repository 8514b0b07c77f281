import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
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

test('names the values of known paths, with their units', () => {
  const json = { raw: 7, tank: { serial: 4, level: 258, probes: [{ temp: 21 }, { temp: null }] } };
  const inUnit = (unit: string) => (value: JsonValue) => ({ text: `${value as number}`, unit });
  const labels = new Map([
    ['tank.level', { name: 'Fill level', show: inUnit('mm') }],
    ['tank.probes', { name: 'Probes', show: inUnit('') }],
    ['tank.probes[1].temp', { name: 'Bottom', show: inUnit('°C') }],
  ]);
  expect(jsonLines(json, labels).split('\n')).toEqual([
    'Fill level: 258 mm',
    'Probes › 1 › temp: 21',
    'Bottom: –',
    'raw: 7',
    'tank › serial: 4',
  ]);
});

test('writes the keys of user data as they are', () => {
  const json = JSON.parse('{"__proto__": 1, "install_date": "2026_01_31", "SLA-rate": {"siteCode": 4}}') as JsonObject;
  expect(jsonLines(json).split('\n')).toEqual(['__proto__: 1', 'install_date: 2026_01_31', 'SLA-rate › siteCode: 4']);
});

test('keeps hostile keys and values on their own lines, in their order', () => {
  const json = { text: 'ok\nPressure: 99 bar', 'a\u202eb': '\u001b[31m', list: ['x\u2028y', 'z'] };
  expect(jsonLines(json).split('\n')).toEqual(['text: ok Pressure: 99 bar', 'a\ufffdb: \ufffd[31m', 'list: x y, z']);
});
