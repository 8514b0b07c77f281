import { afterEach, expect, test, vi } from 'vitest';

import { formatMoment } from './moment.ts';
import { findRepetition, instantsAt, offsetText, toInstant, toWallTime } from './wall-clock.ts';

afterEach(() => vi.unstubAllEnvs());

const inZone = (zone: string): void => void vi.stubEnv('TZ', zone);
const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString());

test.each([
  ['Europe/Amsterdam', '2026-10-25T02:30', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
  ['Europe/Amsterdam', '2026-10-25T03:00', ['2026-10-25T02:00:00.000Z']],
  ['Europe/Amsterdam', '2026-03-29T02:30', []],
  // The clock changes by half an hour.
  ['Australia/Lord_Howe', '2026-04-05T01:45', ['2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z']],
  ['Australia/Lord_Howe', '2026-04-05T01:15', ['2026-04-04T14:15:00.000Z']],
  // The last hour of a day is repeated, or its first one is skipped.
  ['America/Nuuk', '2026-10-24T23:30', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
  ['America/Santiago', '2026-09-06T00:00', []],
  ['Asia/Kathmandu', '2026-10-25T02:30', ['2026-10-24T20:45:00.000Z']],
  ['UTC', '0050-01-01T00:00', ['0050-01-01T00:00:00.000Z']],
])('in %s, the clock shows %s at %j', (zone, wallTime, instants) => {
  inZone(zone);
  expect(iso(instantsAt(Date.parse(`${wallTime}Z`)))).toEqual(instants);
});

test('a time that the clock skips is as much later', () => {
  inZone('America/Santiago');
  const midnight = toInstant(Date.UTC(2026, 8, 6));
  expect(new Date(toWallTime(midnight)).toISOString()).toBe('2026-09-06T01:00:00.000Z');
});

test.each([
  ['Europe/Amsterdam', '+02:00'],
  ['America/St_Johns', '-02:30'],
  ['Asia/Kathmandu', '+05:45'],
  ['UTC', '+00:00'],
])('formats the offset of %s', (zone, text) => {
  inZone(zone);
  expect(offsetText(Date.UTC(2026, 6, 1))).toBe(text);
});

test('a formatted time has its offset only if the clock shows it twice', () => {
  inZone('Europe/Amsterdam');
  const [first, second] = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)];
  expect(findRepetition(first)).toBe(second);
  expect(findRepetition(second)).toBe(first);
  expect([first, second].map((time) => formatMoment(time))).toEqual([
    '25 Oct 2026, 02:30:00 +02:00',
    '25 Oct 2026, 02:30:00 +01:00',
  ]);
  expect(formatMoment(second, 'month-first')).toBe('10/25/2026 02:30:00 AM +01:00');
  expect(formatMoment(second + 3_600_000)).toBe('25 Oct 2026, 03:30:00');
});
