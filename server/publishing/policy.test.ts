import { expect, test } from 'vitest';

import { durationText } from '#server/wire/present.ts';

import { contractPolicy, stepUp } from './policy.ts';

test('increases the cooldown from a minute to a day, and then keeps it', () => {
  const now = new Date('2026-11-20T10:00:00Z');
  const waits: string[] = [];
  for (let step = 0; step < 12;) {
    const next = stepUp(contractPolicy, step, now);
    waits.push(durationText((next.until.getTime() - now.getTime()) / 1000));
    if (next.step === step) break;
    ({ step } = next);
  }
  expect(waits).toEqual(['1m', '2m', '5m', '10m', '15m', '30m', '1h', '3h', '6h', '12h', '1d', '1d']);
});
