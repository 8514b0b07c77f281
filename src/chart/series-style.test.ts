import { expect, test } from 'vitest';

import { seriesBackground, seriesStyle } from './series-style.ts';

test('no two of the first 18 series look the same', () => {
  const styles = Array.from({ length: 18 }, (_, index) => seriesStyle(index));
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(18);
  expect(new Set(styles.map(seriesBackground)).size).toBe(18);
});

test('the first series are solid', () => {
  expect(Array.from({ length: 6 }, (_, index) => seriesStyle(index).dash.length)).toEqual([0, 0, 0, 0, 0, 0]);
});
