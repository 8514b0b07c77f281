import { expect, test } from 'vitest';

import { RecentUse } from './recent-use.ts';

test('halves use every second and adds new use to the remainder', () => {
  let now = 0;
  const use = new RecentUse(() => now);
  use.add('a', 80);
  expect([use.get('a'), use.get('b')]).toEqual([80, 0]);
  now = 1000;
  expect(use.get('a')).toBe(40);
  use.add('a', 10);
  now = 3000;
  expect(use.get('a')).toBe(12.5);
});

test('removes idle accounts, and only those, when there are more than a thousand accounts', () => {
  let now = 0;
  const use = new RecentUse(() => now);
  for (let account = 0; account < 999; account += 1) use.add(String(account), 10);
  use.add('long', 1000);
  now = 4000;
  expect(use.get('0')).toBeGreaterThan(0);
  use.add('another', 5);
  expect([use.get('0'), use.get('long'), use.get('another')]).toEqual([0, 62.5, 5]);
});
