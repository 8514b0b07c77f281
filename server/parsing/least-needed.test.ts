import { expect, test } from 'vitest';

import { leastNeeded } from './workers/least-needed.mjs';

/** Entries named after their account and a number. */
const entries = (...keys: string[]) => new Map(keys.map((key) => [key, { account: key.slice(0, 1) }]));

test.each([
  [['a1', 'b1', 'b2', 'a2', 'b3'], 'b1'],
  [['a1', 'b1', 'b2', 'c1'], 'b1'],
  [['a1', 'b1', 'c1'], 'a1'],
  [['a1', 'a2'], 'a1'],
  [[], undefined],
])('the first entry of the account with the most entries is displaced: %j', (keys, expected) => {
  expect(leastNeeded(entries(...keys))).toBe(expected);
});
