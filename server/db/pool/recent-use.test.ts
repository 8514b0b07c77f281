import { expect, test } from 'vitest';
import { RecentUse } from './recent-use.ts';

test('what was used counts half after each second, and what comes later is added to what is left', () => {
  let now = 0;
  const use = new RecentUse(() => now);
  use.add('a', 80);
  expect([use.of('a'), use.of('b')]).toEqual([80, 0]);
  now = 1_000;
  expect(use.of('a')).toBe(40);
  use.add('a', 10);
  now = 3_000;
  expect(use.of('a')).toBe(12.5);
});

test('accounts that have nothing left are forgotten before one more than a thousand is opened, and no others', () => {
  let now = 0;
  const use = new RecentUse(() => now);
  for (let account = 0; account < 999; account += 1) use.add(String(account), 10);
  use.add('long', 1_000);
  now = 4_000;
  expect(use.of('0')).toBeGreaterThan(0);
  use.add('another', 5);
  expect([use.of('0'), use.of('long'), use.of('another')]).toEqual([0, 62.5, 5]);
});
