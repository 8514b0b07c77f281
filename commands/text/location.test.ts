import { expect, test } from 'vitest';

import { formatLocation } from './location.ts';

test.each([
  ['[57.64627,0.98948]', '57.64627, 0.98948'],
  ['[[52.1,4.2],[53,-5]]', '52.1, 4.2 – 53, -5'],
  ['[[1,2],[3,4],[5,6]]', '1, 2 · 3, 4 · 5, 6'],
  ['[[1,2]]', '1, 2'],
  ['under the bridge', 'under the bridge'],
  ['', undefined],
  [undefined, undefined],
])('formats %s as %s', (textual, text) => {
  expect(formatLocation(textual)).toBe(text);
});
