import { expect, test } from 'vitest';

import { listNearest, namesWithWords, nearestNames, nearestPart } from './near.ts';

const keys = ['health', 'lifecycle', 'tag', 'tagtype', 'type', 'model', 'brand', 'gateway', 'number', 'last'];

test.each([
  ['helth', ['health']],
  ['haelth', ['health']],
  ['lifecyle', ['lifecycle']],
  ['gatway', ['gateway']],
  ['tags', ['tag']],
  ['tga', ['tag']],
  ['tgb', []],
  ['gta', []],
  ['txa', []],
  ['xtag', ['tag']],
  ['ta', ['tag', 'tagtype']],
  ['ga', ['gateway']],
  ['ag', ['tag']],
  ['xg', []],
  ['  hea', ['health']],
  ['modeell', ['model']],
  ['HEALTH', ['health']],
  ['xyz', []],
  ['', []],
])('finds the names nearest to %s: %j', (typed, names) => {
  expect(nearestNames(typed, keys)).toEqual(names);
});

test('ranks prefixes before substrings before typos', () => {
  expect(nearestNames('needs', ['Nerds', 'All needs', 'Needs visit'])).toEqual(['Needs visit', 'All needs', 'Nerds']);
  expect(nearestNames('eror', ['OK', 'WARNING', 'ERROR'])).toEqual(['ERROR']);
  expect(nearestNames('instaled', ['PAUSED', 'INSTALLED', 'READY_TO_INSTALL'])).toEqual(['INSTALLED']);
  expect(nearestNames('ready to instal', ['READY_TO_INSTALL'])).toEqual(['READY_TO_INSTALL']);
});

test('ranks an exact name before prefixes and matches substrings of three letters', () => {
  expect(nearestNames('tag', ['tagtype', 'tag'])).toEqual(['tag', 'tagtype']);
  expect(nearestNames('nee', ['All needs'])).toEqual(['All needs']);
  expect(nearestNames('abcdefghijkl', ['abcdxxxhijkl', 'abcdxxxxijkl'])).toEqual(['abcdxxxhijkl']);
});

test('counts a surrogate pair as one typo', () => {
  expect(nearestNames('abc😀😀😀def', ['abcdef'])).toEqual(['abcdef']);
  expect(nearestNames('abc😀😀😀😀def', ['abcdef'])).toEqual([]);
});

test('limits the results and removes duplicates', () => {
  expect(nearestNames('a', ['ab', 'ac', 'ad', 'ae'])).toEqual(['ab', 'ac', 'ad']);
  expect(nearestNames('a', ['ab', 'ac', 'ad', 'ab'], 2)).toEqual(['ab', 'ac']);
});

test('ranks names that are words of the text last', () => {
  expect(nearestNames('my old tag', keys)).toEqual(['tag']);
  expect(nearestNames('my old tg', ['tg', 'ld'])).toEqual([]);
  expect(nearestNames('set the lifecycle', ['lifecycle', 'set the lifecycles of'])).toEqual([
    'set the lifecycles of',
    'lifecycle',
  ]);
  expect(nearestNames('abc defghijk', ['abc', 'abc defxxxjk'])).toEqual(['abc defxxxjk', 'abc']);
});

test('finds names with consecutive words that are close to the text', () => {
  const devices = ['Casing pressure, Curlew 7', 'Casing pressure, Curlew 12', 'Annulus A pressure, Avocet 7'];
  expect(nearestPart('Curlw 7', devices)).toEqual(['Casing pressure, Curlew 7']);
  expect(nearestPart('presure', devices, 2)).toEqual(devices.slice(0, 2));
  expect(nearestPart('Curlw 7 casing pressure now', devices)).toEqual([]);
  expect(nearestPart('7', devices)).toEqual([]);
});

const units = [
  'TEMPERATURE_KELVIN',
  'TEMPERATURE_DEGREES_CELSIUS',
  'VOLTAGE_MILLIVOLT',
  'MASS_KILOGRAMS',
  'MASS_POUNDS',
];

test.each([
  ['TEMPERATURE_CELSIUS', ['TEMPERATURE_DEGREES_CELSIUS']],
  ['celsius temperature', ['TEMPERATURE_DEGREES_CELSIUS']],
  ['VOLTAGE_VOLT', ['VOLTAGE_MILLIVOLT']],
  ['MASS_TON', ['MASS_POUNDS', 'MASS_KILOGRAMS']],
  ['MAS', []],
  ['', []],
  ['torque', []],
])('%j is near the names with its words: %j', (text, expected) => {
  expect(namesWithWords(text, units)).toEqual(expected);
});

test('lists the nearest names, or else a few', () => {
  expect(listNearest('helth', keys)).toBe('health');
  expect(listNearest('zzzz', keys)).toBe(keys.join(', '));
  const many = Array.from({ length: 40 }, (_, index) => `column${index}`);
  expect(listNearest('zzzz', many)).toBe(`${many.slice(0, 12).join(', ')}, …`);
});
