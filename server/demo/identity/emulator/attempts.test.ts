import { beforeEach, describe, expect, test } from 'vitest';

import { type Attempts, trackAttempts } from './attempts.ts';

let time: number;
let attempts: Attempts;
const fail = (count: number, key = 'olga') => Array.from({ length: count }, () => attempts.recordFailure(key));

beforeEach(() => {
  time = 1_000_000;
  attempts = trackAttempts({ freeAttempts: 3, forgetAfter: 1000, firstPause: 100, maxPause: 350 }, () => time);
});

describe('failed attempts', () => {
  test('are allowed up to a limit, then block only that key for a while', () => {
    fail(2);
    expect(attempts.isPaused('olga')).toBe(false);
    fail(1);
    expect(attempts.isPaused('olga')).toBe(true);
    expect(attempts.isPaused('noor')).toBe(false);
    time += 100;
    expect(attempts.isPaused('olga')).toBe(false);
  });

  test('double each pause, up to a maximum', () => {
    fail(3);
    for (const pause of [200, 350, 350]) {
      time += 400;
      fail(1);
      time += pause - 1;
      expect(attempts.isPaused('olga')).toBe(true);
      time += 1;
      expect(attempts.isPaused('olga')).toBe(false);
    }
  });

  test('are forgotten after a while, and after a success', () => {
    fail(2);
    time += 1001;
    fail(2);
    expect(attempts.isPaused('olga')).toBe(false);
    attempts.forget('olga');
    fail(2);
    expect(attempts.isPaused('olga')).toBe(false);
  });

  test("can't fill the memory by using made-up keys", () => {
    fail(3);
    for (let index = 0; index < 10_000; index++) attempts.recordFailure(`made-up-${index}`);
    expect(attempts.isPaused('olga')).toBe(false);
  });
});
