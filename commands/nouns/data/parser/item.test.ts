import { expect, test } from 'vitest';

import { availabilityLinks } from './item.ts';

const names = new Map([
  ['north', 'North'],
  ['south', 'South'],
]);
const linked = (include: readonly string[], exclude: readonly string[] = [], includeAll = false) =>
  availabilityLinks({ includeAll, include: [...include], exclude: [...exclude] }, names).map(({ id }) => id);

test('links the organizations that can use a parser, if their names are all there is to say', () => {
  expect(linked(['north', 'south'])).toEqual(['north', 'south']);
  expect(linked(['north', 'south'], ['south'])).toEqual(['north']);
  expect(linked([], ['south'], true)).toEqual([]);
  expect(linked(['north', 'unknown'])).toEqual([]);
});
