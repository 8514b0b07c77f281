import { timestampDate } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseDuration, printDuration } from './duration.ts';
import { momentRange, parseMoment, parseTime, toTimeRange, type TimeRangeInit } from './time.ts';

const now = new Date('2026-03-11T12:00:00Z');
const iso = ({ start, end }: TimeRangeInit): string[] =>
  [start, end].map((each) => timestampDate(each?.timestamp as Parameters<typeof timestampDate>[0]).toISOString());

test('durations read and print in their compact form', () => {
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

test('times have one text each, in UTC', () => {
  const typed = [
    'NOW',
    '-36000s',
    '+30d',
    '2026-01-31',
    '2026-01-31 20:00',
    '2026-01-31T20:00:05.250Z',
    '2026-01-31 20:00 +02:00',
    'Last  Month',
  ];
  expect(typed.map(parseTime)).toEqual([
    'now',
    '-10h',
    '+30d',
    '2026-01-31',
    '2026-01-31 20:00',
    '2026-01-31 20:00:05.250',
    '2026-01-31 18:00',
    'last month',
  ]);
  expect(['2026-02-30', '2026-01-31 25:00', '2d', 'soon', ''].map(parseTime)).toEqual(Array(5).fill(undefined));
  expect(parseMoment('48h')).toBe('2d');
});

test('a range counts a signed start from its end', () => {
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

test('a filter on a time compares moments, and ages the other way around', () => {
  expect(iso(momentRange({ above: '2d' }, now))).toEqual(['1970-01-01T00:00:00.000Z', '2026-03-09T12:00:00.000Z']);
  expect(iso(momentRange({ below: '2d' }, now))).toEqual(['2026-03-09T12:00:00.000Z', '9999-12-31T23:59:59.000Z']);
  expect(iso(momentRange({ above: '1d', below: '2d' }, now))).toEqual([
    '2026-03-09T12:00:00.000Z',
    '2026-03-10T12:00:00.000Z',
  ]);
  expect(iso(momentRange({ above: '2026-03-01' }, now))[0]).toBe('2026-03-02T00:00:00.000Z');
  expect(iso(momentRange({ value: 'yesterday' }, now))).toEqual([
    '2026-03-10T00:00:00.000Z',
    '2026-03-10T23:59:59.999Z',
  ]);
});
