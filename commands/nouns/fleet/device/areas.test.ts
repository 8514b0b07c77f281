import { expect, test } from 'vitest';

import { canonicalArea, parseArea } from './areas.ts';

test('parses two corners with any separators', () => {
  const area = { bottomLeft: { latitude: 52.9, longitude: 6.5 }, topRight: { latitude: 53.1, longitude: -6.8 } };
  for (const text of ['52.9/6.5/53.1/-6.8', '[[52.9, 6.5], [53.1, -6.8]]', '52.9,6.5 to 53.1,-6.8']) {
    expect(parseArea(text), text).toEqual(area);
    expect(canonicalArea(text)).toBe('52.9/6.5/53.1/-6.8');
  }
});

test('leaves an invalid area of any length unchanged', () => {
  for (const text of ['here', '91/0/92/1', '0/181/1/182', `1${' '.repeat(40)}2`]) {
    expect(parseArea(text), text).toBeUndefined();
    expect(canonicalArea(text)).toBe(text);
  }
  // A backtracking pattern would take hours to try every way to split these spaces.
  const gap = ' '.repeat(5000);
  expect(parseArea(['1', '2', '3', 'x'].join(gap))).toBeUndefined();
});
