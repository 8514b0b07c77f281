import { expect, test } from 'vitest';

import { findMatching } from './matching.ts';

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
])('finds the items that match “%s”, best match first', async (text, expected) => {
  expect(await findMatching(names, text, String)).toEqual(expected);
});

test('sorts better matches first and keeps the order of equal matches', async () => {
  expect(await findMatching(['Old well', 'well 2', 'Well', 'well 1'], 'well', String)).toEqual([
    'Well',
    'well 2',
    'well 1',
    'Old well',
  ]);
});
