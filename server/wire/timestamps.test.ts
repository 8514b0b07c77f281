import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';

import { DateSchema, DurationSchema, TimeRangeSchema, TimestampSchema } from '#proto/gen/hiber/base_pb.ts';

import { readDate } from './dates.ts';
import { parseDuration, readDuration } from './durations.ts';
import { readTimeRange, readTimestamp } from './timestamps.ts';

const now = new Date('2026-03-04T12:00:00Z');
const createTimestamp = (textual: string) => create(TimestampSchema, { textual });
const readText = (textual: string) => readTimestamp(createTimestamp(textual), now, 'since')?.toISOString();
const range = (start?: string, end?: string) => {
  const bounds = {
    start: start === undefined ? undefined : createTimestamp(start),
    end: end === undefined ? undefined : createTimestamp(end),
  };
  const result = readTimeRange(create(TimeRangeSchema, bounds), now);
  return [result.start?.toISOString(), result.end?.toISOString()];
};

describe('client timestamps', () => {
  test('are read in every form that the contract defines', () => {
    expect(readText('now')).toBe('2026-03-04T12:00:00.000Z');
    expect(readText('2022-01-01')).toBe('2022-01-01T00:00:00.000Z');
    expect(readText('2022-01-01 20:00')).toBe('2022-01-01T20:00:00.000Z');
    expect(readText('2022-01-01T20:00:00.5+01:00')).toBe('2022-01-01T19:00:00.500Z');
    expect(readTimestamp(undefined, now)).toBeUndefined();
    expect(readTimestamp(create(TimestampSchema), now)).toBeUndefined();
    const timestamp = create(TimestampSchema, { timestamp: timestampFromDate(new Date(0)), textual: 'now' });
    expect(readTimestamp(timestamp, now)).toEqual(new Date(0));
  });

  test('are rejected by field name when invalid', () => {
    expect(() => readText('yesterday')).toThrow('"since" isn\'t a time: "yesterday"');
    expect(() => readText('2022-02-31')).toThrow('since');
  });

  test('can be relative in a range, the start to the end and the end to now', () => {
    expect(range('-10h', '2022-01-01 20:00')).toEqual(['2022-01-01T10:00:00.000Z', '2022-01-01T20:00:00.000Z']);
    expect(range('PT-1h', 'now')).toEqual(['2026-03-04T11:00:00.000Z', '2026-03-04T12:00:00.000Z']);
    expect(range('-1d', '-1h')).toEqual(['2026-03-03T11:00:00.000Z', '2026-03-04T11:00:00.000Z']);
    expect(range('-1h')).toEqual(['2026-03-04T11:00:00.000Z', undefined]);
    expect(() => range('2022-01-02', '2022-01-01')).toThrow('ends before');
  });
});

describe('times outside the years 1 to 9999', () => {
  test('do not include the latest time of protobuf, which clients send for a time that never comes', () => {
    const timestamp = create(TimestampSchema, { timestamp: { seconds: 253_402_300_799n, nanos: 999_999_999 } });
    expect(readTimestamp(timestamp, now)?.toISOString()).toBe('9999-12-31T23:59:59.999Z');
    expect(readText('9999-12-31T23:59:59.999999999Z')).toBe('9999-12-31T23:59:59.999Z');
  });

  test('are rejected by field name, in any form', () => {
    const seconds = (value: bigint) => create(TimestampSchema, { timestamp: { seconds: value } });
    for (const value of [253_402_300_800n, -62_135_596_801n, 8_640_000_000_001n]) {
      expect(() => readTimestamp(seconds(value), now, 'since'), String(value)).toThrow('"since" is out of range');
    }
    expect(readTimestamp(seconds(253_402_300_799n), now)?.toISOString()).toBe('9999-12-31T23:59:59.000Z');
    for (const text of ['0000-01-01', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']) {
      expect(() => readText(text), text).toThrow('"since" is out of range');
    }
  });

  test('are rejected when a relative time reaches them', () => {
    expect(() => range('-99999999999d')).toThrow('"time_range.start" is out of range');
    expect(() => range(undefined, '9999999d')).toThrow('"time_range.end" is out of range');
    expect(() => range('-1h', '0001-01-01')).toThrow('out of range');
  });

  test('are rejected as dates, as are durations of more than 10,000 years', () => {
    expect(() => readDate(create(DateSchema, { textual: '0000-12-31' }), 'day')).toThrow('"day" is out of range');
    expect(readDate(create(DateSchema, { textual: '0001-01-01' }), 'day')).toBe('0001-01-01');
    const longDuration = create(DurationSchema, { textual: '99999999999999999999h' });
    expect(() => readDuration(longDuration, 'interval')).toThrow('"interval" is out of range');
  });
});

describe('client durations', () => {
  test('are read in every form that the contract defines', () => {
    const seconds = {
      '15m': 900,
      '1 day': 86_400,
      '3d4h5m': 273_900,
      '3 hours -10 minutes': 10_200,
      'PT-10h': -36_000,
    };
    for (const [text, expected] of Object.entries(seconds)) expect(parseDuration(text), text).toBe(expected);
    expect([parseDuration('-1h30m'), parseDuration('P1DT2H3M4.5S')]).toEqual([-5400, 93_784.5]);
    expect([parseDuration('soon'), parseDuration('5'), parseDuration('1h soon')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('are rejected by field name when invalid', () => {
    expect(() => readDuration(create(DurationSchema, { textual: 'soon' }), 'interval')).toThrow('interval');
    expect(readDuration(create(DurationSchema, { textual: '1h' }), 'interval')).toBe(3600);
  });
});
