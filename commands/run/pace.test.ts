import { expect, test } from 'vitest';

import { message } from '#commands/text/message.ts';

import { PaceMeter, paceText } from './pace.ts';

const total = 50_000;

test('is unknown for the first two seconds', () => {
  const meter = new PaceMeter();
  expect([meter.add({ done: 1, total }, 0), meter.add({ done: 511, total }, 1999)]).toEqual([undefined, undefined]);
  expect(meter.add({ done: 2001, total }, 2000)).toEqual({ itemsPerSecond: 1000, millisecondsLeft: 47_999 });
});

test('follows the last ten seconds', () => {
  const meter = new PaceMeter();
  // 1,000 a second at first, and 100 a second later.
  for (let second = 0; second <= 10; second++) meter.add({ done: second * 1000, total }, second * 1000);
  for (let second = 11; second < 25; second++) meter.add({ done: 10_000 + (second - 10) * 100, total }, second * 1000);
  expect(meter.add({ done: 11_500, total }, 25_000)).toEqual({ itemsPerSecond: 100, millisecondsLeft: 385_000 });
});

test('measures calls that take longer than the window', () => {
  const meter = new PaceMeter();
  meter.add({ done: 500, total }, 0);
  expect(meter.add({ done: 1000, total }, 20_000)?.itemsPerSecond).toBe(25);
  expect(meter.add({ done: 1500, total }, 30_000)?.itemsPerSecond).toBe(50);
});

test('leaves out a pause', () => {
  const meter = new PaceMeter();
  meter.add({ done: 0, total }, 0);
  meter.add({ done: 2000, total }, 2000);
  meter.restart();
  expect(meter.add({ done: 2500, total }, 600_000)).toBeUndefined();
  expect(meter.add({ done: 4500, total }, 602_000)?.itemsPerSecond).toBe(1000);
});

test('is unknown while nothing gets done', () => {
  const meter = new PaceMeter();
  meter.add({ done: 500, total }, 0);
  expect(meter.add({ done: 500, total }, 5000)).toBeUndefined();
});

test.each([
  [1240.4, 25_001, 1240, '26 s'],
  [2.34, 1, 2.3, '1 s'],
  [9.96, 61_000, 10, '1 m'],
  [800, 3_900_000, 800, '1 h 05 m'],
])('is shown as a rate and the time left: %s, %s', (itemsPerSecond, millisecondsLeft, rate, left) => {
  expect(paceText({ itemsPerSecond, millisecondsLeft })).toEqual(message('running:work.pace', { rate, left }));
});
