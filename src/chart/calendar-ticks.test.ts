import { afterEach, expect, test, vi } from 'vitest';

import { calendarTicks } from './calendar-ticks.ts';
import { labelTicks } from './time-axis.ts';

const HOUR = 3_600_000;
const axis = { language: 'en', format: 'iso' } as const;

afterEach(() => vi.unstubAllEnvs());

function hourLabels(zone: string, from: string, hours: number, step: number): readonly string[] {
  vi.stubEnv('TZ', zone);
  const span = { from: Date.parse(from), to: Date.parse(from) + hours * HOUR };
  return labelTicks(calendarTicks(span, { unit: 'ms', count: step }), step, axis);
}

test('ticks stay at round hours after the clock has gone back', () => {
  expect(hourLabels('Europe/Amsterdam', '2026-10-25T09:30:00Z', 24, 6 * HOUR)).toEqual([
    '12:00',
    '18:00',
    'Mon 26 Oct',
    '06:00',
  ]);
});

test('an hour that the clock shows twice has two ticks, which tell them apart', () => {
  expect(hourLabels('Europe/Amsterdam', '2026-10-24T22:30:00Z', 4, HOUR)).toEqual([
    '01:00',
    '02:00 +02:00',
    '02:00 +01:00',
    '03:00',
  ]);
});

test('an hour that the clock skips has no tick', () => {
  expect(hourLabels('Europe/Amsterdam', '2026-03-28T23:30:00Z', 3, HOUR)).toEqual(['01:00', '03:00', '04:00']);
});

test('ticks are round where the clock changes by half an hour', () => {
  expect(hourLabels('Australia/Lord_Howe', '2026-04-04T11:30:00Z', 12, 3 * HOUR)).toEqual([
    'Sun 5 Apr',
    '03:00',
    '06:00',
    '09:00',
  ]);
  expect(hourLabels('Australia/Lord_Howe', '2026-04-04T14:00:00Z', 2, HOUR / 2)).toEqual([
    '01:00',
    '01:30 +11:00',
    '01:30 +10:30',
    '02:00',
    '02:30',
  ]);
});

test.each([
  ['Asia/Kathmandu', ['06:00', '12:00', '18:00', 'Sun 4 Oct']],
  ['America/St_Johns', ['Sat 3 Oct', '06:00', '12:00', '18:00']],
])('ticks are round in %s', (zone, labels) => {
  expect(hourLabels(zone, '2026-10-03T00:00:00Z', 24, 6 * HOUR)).toEqual(labels);
});

test('a day whose midnight the clock skips is named at its first hour', () => {
  expect(hourLabels('Africa/Cairo', '2026-04-23T19:30:00Z', 5, HOUR)).toEqual([
    '22:00',
    '23:00',
    'Fri 24 Apr',
    '02:00',
    '03:00',
  ]);
});

test('ticks of days and months are at midnight on both sides of a change', () => {
  vi.stubEnv('TZ', 'Europe/Amsterdam');
  const span = { from: Date.parse('2026-10-20T10:00:00Z'), to: Date.parse('2026-11-02T10:00:00Z') };
  const midnights = (step: Parameters<typeof calendarTicks>[1], { from, to } = span) =>
    calendarTicks({ from, to }, step).map((tick) => new Date(tick).toISOString());
  expect(midnights({ unit: 'day', count: 4 })).toEqual([
    '2026-10-20T22:00:00.000Z',
    '2026-10-24T22:00:00.000Z',
    '2026-10-28T23:00:00.000Z',
    '2026-11-01T23:00:00.000Z',
  ]);
  const year = { from: Date.parse('2026-01-15T00:00:00Z'), to: Date.parse('2027-01-15T00:00:00Z') };
  expect(midnights({ unit: 'month', count: 3 }, year)).toEqual([
    '2026-03-31T22:00:00.000Z',
    '2026-06-30T22:00:00.000Z',
    '2026-09-30T22:00:00.000Z',
    '2026-12-31T23:00:00.000Z',
  ]);
});

test('a tick at the start of the span is one of its ticks', () => {
  vi.stubEnv('TZ', 'UTC');
  const from = Date.UTC(2026, 10, 1);
  expect(calendarTicks({ from, to: from + 1 }, { unit: 'day', count: 1 })).toEqual([from]);
  expect(calendarTicks({ from, to: from + 1 }, { unit: 'month', count: 1 })).toEqual([from]);
  expect(calendarTicks({ from, to: from + 1 }, { unit: 'ms', count: HOUR })).toEqual([from]);
});
