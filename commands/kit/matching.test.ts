import { expect, test } from 'vitest';

import { findExactMatches, findMatches } from './matching.ts';

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
  expect(await findMatches(names, text, String)).toEqual(expected);
});

test('sorts better matches first and keeps the order of equal matches', async () => {
  expect(await findMatches(['Old well', 'well 2', 'Well', 'well 1'], 'well', String)).toEqual([
    'Well',
    'well 2',
    'well 1',
    'Old well',
  ]);
});

test.each([
  ['old halvorsen', ['Old Halvorsen']],
  [' HIGHLAND ENERGY ', ['Highland Energy']],
  ['halvorsen', []],
])('matches “%s” as a whole, ignoring case', (text, expected) => {
  expect(findExactMatches(names, text, (name) => [name])).toEqual(expected);
});

test('ignores lower-ranked identifiers if a higher-ranked one matches', () => {
  const people = [
    { id: 'ada', name: 'Grace' },
    { id: 'x1', name: 'Ada' },
    { id: 'x2', name: 'Ada' },
  ];
  const idsOf = (text: string) =>
    findExactMatches(
      people,
      text,
      ({ id }) => [id],
      ({ name }) => [name],
    ).map(({ id }) => id);
  expect(idsOf('ada')).toEqual(['ada']);
  expect(idsOf('grace')).toEqual(['ada']);
  expect(
    findExactMatches(
      people.slice(1),
      'ada',
      ({ id }) => [id],
      ({ name }) => [name],
    ),
  ).toHaveLength(2);
});
