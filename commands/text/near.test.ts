import { expect, test } from 'vitest';

import { nearest } from './near.ts';

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
])('%s is near %j', (typed, names) => {
  expect(nearest(typed, keys)).toEqual(names);
});

test('what begins with the text comes before what holds it, and that before a slip', () => {
  expect(nearest('needs', ['Nerds', 'All needs', 'Needs visit'])).toEqual(['Needs visit', 'All needs', 'Nerds']);
  expect(nearest('eror', ['OK', 'WARNING', 'ERROR'])).toEqual(['ERROR']);
  expect(nearest('instaled', ['PAUSED', 'INSTALLED', 'READY_TO_INSTALL'])).toEqual(['INSTALLED']);
  expect(nearest('ready to instal', ['READY_TO_INSTALL'])).toEqual(['READY_TO_INSTALL']);
});

test('the name itself comes before those that begin with it, and three letters are enough to be held', () => {
  expect(nearest('tag', ['tagtype', 'tag'])).toEqual(['tag', 'tagtype']);
  expect(nearest('nee', ['All needs'])).toEqual(['All needs']);
  expect(nearest('abcdefghijkl', ['abcdxxxhijkl', 'abcdxxxxijkl'])).toEqual(['abcdxxxhijkl']);
});

test('a letter of two units is one slip', () => {
  expect(nearest('abc😀😀😀def', ['abcdef'])).toEqual(['abcdef']);
  expect(nearest('abc😀😀😀😀def', ['abcdef'])).toEqual([]);
});

test('no more than asked for, and none twice', () => {
  expect(nearest('a', ['ab', 'ac', 'ad', 'ae'])).toEqual(['ab', 'ac', 'ad']);
  expect(nearest('a', ['ab', 'ac', 'ad', 'ab'], 2)).toEqual(['ab', 'ac']);
});
