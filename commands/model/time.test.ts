import fc from 'fast-check';
import { expect, test } from 'vitest';

import { iso } from '#commands/testkit/range.ts';
import { parseDuration, printDuration } from '#commands/text/duration.ts';

import { parseMoment } from './moment.ts';
import {
  FIRST_DAYS,
  parseFutureTime,
  parseTime,
  PERIOD_NAMES,
  printTime,
  toSpan,
  toTimeRange,
  toTimestamp,
} from './time.ts';

const now = new Date('2026-03-11T12:00:00Z');

test('reads years of two digits as they are written', () => {
  expect(toSpan('0001-01-01', now).from).toBe(Date.parse('0001-01-01T00:00:00Z'));
  expect(toSpan('0099-12-31 20:00', now).to).toBe(Date.parse('0099-12-31T20:00:00Z'));
  expect(['0001-01-01', '0000-12-31', '0001-02-29', '0004-02-29'].map(parseTime)).toEqual([
    '0001-01-01',
    undefined,
    undefined,
    '0004-02-29',
  ]);
});

test('parses and prints compact durations', () => {
  expect(
    ['15m', '1h15m30s', '2d', '1 day', '3 hours 10 minutes', '90m', '1w', '-10h', '0', '1.5h'].map(parseDuration),
  ).toEqual([900, 4530, 172_800, 86_400, 11_400, 5400, 604_800, -36_000, 0, 5400]);
  expect(['', 'h', '15', '1x', '1h15', '5 month', 'm5'].map(parseDuration)).toEqual(Array(7).fill(undefined));
  fc.assert(
    fc.property(fc.maxSafeInteger(), (seconds) => {
      expect(parseDuration(printDuration(seconds))).toBe(seconds || 0);
    }),
  );
});

test('normalizes times to a canonical UTC form', () => {
  const inputs = [
    'NOW',
    '-36000s',
    '+30d',
    '2026-01-31',
    '2026-01-31 20:00',
    '2026-01-31T20:00:05.250Z',
    '2026-01-31 20:00 +12:30',
    'Last  Month',
  ];
  expect(inputs.map(parseTime)).toEqual([
    'now',
    '-10h',
    '+30d',
    '2026-01-31',
    '2026-01-31 20:00',
    '2026-01-31 20:00:05.250',
    '2026-01-31 07:30',
    'last month',
  ]);
  expect(['2026-02-30', '2026-01-31 25:00', '2d', 'soon', ''].map(parseTime)).toEqual(Array(5).fill(undefined));
  const distantTimes = ['-99999999999d', '+99999999999d', '-365001d'];
  expect([...distantTimes.map(parseTime), parseMoment('99999999999d'), parseTime('-365000d')]).toEqual([
    ...Array<undefined>(4).fill(undefined),
    '-365000d',
  ]);
  expect(parseMoment('48h')).toBe('2d');
});

test('accepts an English month name, with the day before or after it', () => {
  const inputs = [
    '28 Feb 2027',
    'Feb 28, 2027',
    'february 28 2027',
    '28-FEB-2027',
    ' 3  Sept.  2027 ',
    '28 Feb 2027, 20:00:05',
    'Feb 28, 2027 20:00 +02:00',
  ];
  expect(inputs.map(parseTime)).toEqual([
    ...Array<string>(4).fill('2027-02-28'),
    '2027-09-03',
    '2027-02-28 20:00:05',
    '2027-02-28 18:00',
  ]);
  expect(['30 Feb 2027', '28 Fe 2027', '28 Febtober 2027', '28 2027', 'Feb 2027', '28 Feb'].map(parseTime)).toEqual(
    Array(6).fill(undefined),
  );
});

test('reads a bare duration as a future time only where one is expected', () => {
  expect(['in 30 days', 'In 2d', 'in', 'in a week'].map(parseTime)).toEqual(['+30d', '+2d', undefined, undefined]);
  expect(['30d', '30 days', 'in 30d', '-1d', 'now', '28 Feb 2027', 'soon'].map(parseFutureTime)).toEqual([
    '+30d',
    '+30d',
    '+30d',
    '-1d',
    'now',
    '2027-02-28',
    undefined,
  ]);
});

test('resolves a relative start against the end of the range', () => {
  expect(iso(toTimeRange({ start: '-10h', end: '2022-01-01 20:00' }, now))).toEqual([
    '2022-01-01T10:00:00.000Z',
    '2022-01-01T20:00:00.000Z',
  ]);
  expect(iso(toTimeRange({ start: '-1h', end: 'now' }, now))).toEqual([
    '2026-03-11T11:00:00.000Z',
    '2026-03-11T12:00:00.000Z',
  ]);
  expect(iso(toTimeRange({ start: 'last month', end: 'last month' }, now))).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-02-28T23:59:59.999Z',
  ]);
});

// Now is a Wednesday.
test.each([
  ['today', '2026-03-11', '2026-03-11'],
  ['yesterday', '2026-03-10', '2026-03-10'],
  ['tomorrow', '2026-03-12', '2026-03-12'],
  ['this week', '2026-03-09', '2026-03-15'],
  ['last week', '2026-03-02', '2026-03-08'],
  ['this month', '2026-03-01', '2026-03-31'],
  ['last month', '2026-02-01', '2026-02-28'],
  ['this year', '2026-01-01', '2026-12-31'],
  ['last year', '2025-01-01', '2025-12-31'],
])('%s runs from %s to %s inclusive', (name, first, last) => {
  expect(PERIOD_NAMES).toContain(name);
  expect(toSpan(name, now)).toEqual({
    from: Date.parse(`${first}T00:00:00.000Z`),
    to: Date.parse(`${last}T23:59:59.999Z`),
  });
});

test('covers every named period and starts weeks on the requested day', () => {
  expect(PERIOD_NAMES).toHaveLength(9);
  const sunday = new Date('2026-03-15T00:00:00Z');
  const weekStarts = (today: Date) =>
    Object.fromEntries(FIRST_DAYS.map((day) => [day, new Date(toSpan('this week', today, day).from).getUTCDate()]));
  expect(weekStarts(sunday)).toEqual({ MONDAY: 9, SUNDAY: 15 });
  expect(weekStarts(now)).toEqual({ MONDAY: 9, SUNDAY: 8 });
});

test('parses and prints times with offsets and fractions, and rejects invalid times', () => {
  expect(
    ['2026-01-31 20:00:07', '2026-01-31 20:00:07.5', '2026-01-31 20:00 -02:30', '2026-12-31 23:59:59z'].map(parseTime),
  ).toEqual(['2026-01-31 20:00:07', '2026-01-31 20:00:07.500', '2026-01-31 22:30', '2026-12-31 23:59:59']);
  const invalidInputs = [
    '2026-01-31 20:60',
    '2026-01-31 20:00:60',
    '2026-13-01',
    '2026-00-10',
    '-x',
    '+',
    'x 2026-01-31',
    '2026-01-31 x',
  ];
  expect(invalidInputs.map(parseTime)).toEqual(invalidInputs.map(() => undefined));
  expect(['  NOW ', 'x', '+90m', '-90m', '1.5h'].map(parseMoment)).toEqual([
    'now',
    undefined,
    '+1h30m',
    '-1h30m',
    '1h30m',
  ]);
  expect(printTime(new Date('2026-01-31T20:00:07.900Z'))).toBe('2026-01-31 20:00:07');
  expect(printTime(new Date('2026-01-31T20:00:00.000Z'))).toBe('2026-01-31 20:00');
  expect(printTime(new Date('2026-01-31T00:00:00.000Z'))).toBe('2026-01-31 00:00');
});

test('parses equivalent strings to the same time', () => {
  const time = Date.parse('2026-01-31T20:00:00Z');
  for (const text of ['2026-01-31 20:00', '2026-01-31T20:00Z', '2026-01-31 21:00 +01:00'])
    expect(toSpan(text, now)).toEqual({ from: time, to: time });
  expect(toSpan('+1h', now)).toEqual({ from: now.getTime() + 3_600_000, to: now.getTime() + 3_600_000 });
});

test("throws for a string that isn't a time", () => {
  expect(() => toSpan('soon', now)).toThrow(RangeError);
  expect(() => toSpan('2d', now)).toThrow(RangeError);
});

test('converts a period to its start time', () => {
  const startOf = (text: string) =>
    new Date(Number((toTimestamp(text, now).timestamp as { seconds: bigint }).seconds) * 1000).toISOString();
  expect(['now', '-1h', '+1h', 'yesterday', '2026-01-31'].map(startOf)).toEqual([
    '2026-03-11T12:00:00.000Z',
    '2026-03-11T11:00:00.000Z',
    '2026-03-11T13:00:00.000Z',
    '2026-03-10T00:00:00.000Z',
    '2026-01-31T00:00:00.000Z',
  ]);
});
