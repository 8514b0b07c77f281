import { expect, test } from 'vitest';

import { matching } from './filter-keys.ts';

const names = ['Halvorsen Drilling', 'Halvorsen Geothermal', 'Halvorsen Oil & Gas', 'Highland Energy', 'Old Halvorsen'];

test.each([
  ['hge', ['Halvorsen Geothermal']],
  ['halg', ['Halvorsen Geothermal', 'Halvorsen Oil & Gas']],
  ['hal g', ['Halvorsen Geothermal', 'Halvorsen Oil & Gas', 'Halvorsen Drilling']],
  ['hal', ['Halvorsen Drilling', 'Halvorsen Geothermal', 'Halvorsen Oil & Gas', 'Old Halvorsen']],
  ['halvorsen drilling', ['Halvorsen Drilling']],
  ['ner', ['Highland Energy']],
  ['hgl', []],
  ['', names],
])('%s matches by the starts of words', (text, expected) => {
  expect(matching(names, text, String)).toEqual(expected);
});

test('what matches better comes first, and what matches alike stays in its order', () => {
  expect(matching(['Old well', 'well 2', 'Well', 'well 1'], 'well', String)).toEqual([
    'Well',
    'well 2',
    'well 1',
    'Old well',
  ]);
});
