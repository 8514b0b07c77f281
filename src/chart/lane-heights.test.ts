import { expect, test } from 'vitest';

import { laneHeights } from './lane-heights.ts';

test.each([
  ['one lane', 400, [0], [400]],
  ['equal lanes', 400, [0, 0], [200, 200]],
  ['a lane that needs more than its share', 400, [300, 0], [300, 100]],
  ['a share that becomes too small because of it', 400, [250, 90, 0], [250, 90, 72]],
  ['more lanes than fit', 100, [0, 120, 0], [72, 120, 72]],
  ['no lanes', 100, [], []],
])('divides the height among %s', (_case, height, needed, expected) => {
  expect(laneHeights(height, needed)).toEqual(expected);
});
