import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { DurationSchema, TimeRangeSchema, TimestampSchema } from '#proto/hiber/base_pb';
import { parseDuration, readDuration } from './durations.ts';
import { readTimeRange, readTimestamp } from './timestamps.ts';

const now = new Date('2026-03-04T12:00:00Z');
const at = (textual: string) => create(TimestampSchema, { textual });
const read = (textual: string) => readTimestamp(at(textual), now, 'since')?.toISOString();
const range = (start?: string, end?: string) => {
  const ends = { start: start === undefined ? undefined : at(start), end: end === undefined ? undefined : at(end) };
  const read = readTimeRange(create(TimeRangeSchema, ends), now);
  return [read.start?.toISOString(), read.end?.toISOString()];
};

describe('times that clients send', () => {
  it('are read in every form of the contract', () => {
    expect(read('now')).toBe('2026-03-04T12:00:00.000Z');
    expect(read('2022-01-01')).toBe('2022-01-01T00:00:00.000Z');
    expect(read('2022-01-01 20:00')).toBe('2022-01-01T20:00:00.000Z');
    expect(read('2022-01-01T20:00:00.5+01:00')).toBe('2022-01-01T19:00:00.500Z');
    expect(readTimestamp(undefined, now)).toBeUndefined();
    expect(readTimestamp(create(TimestampSchema), now)).toBeUndefined();
    const both = create(TimestampSchema, { timestamp: timestampFromDate(new Date(0)), textual: 'now' });
    expect(readTimestamp(both, now)).toEqual(new Date(0));
  });

  it('are refused by name when they are none', () => {
    expect(() => read('yesterday')).toThrow('since is not a time: "yesterday"');
    expect(() => read('2022-02-31')).toThrow('since');
  });

  it('may be relative in a range: the start to the end, the end to now', () => {
    expect(range('-10h', '2022-01-01 20:00')).toEqual(['2022-01-01T10:00:00.000Z', '2022-01-01T20:00:00.000Z']);
    expect(range('PT-1h', 'now')).toEqual(['2026-03-04T11:00:00.000Z', '2026-03-04T12:00:00.000Z']);
    expect(range('-1d', '-1h')).toEqual(['2026-03-03T11:00:00.000Z', '2026-03-04T11:00:00.000Z']);
    expect(range('-1h')).toEqual(['2026-03-04T11:00:00.000Z', undefined]);
    expect(() => range('2022-01-02', '2022-01-01')).toThrow('ends before');
  });
});

describe('durations that clients send', () => {
  it('are read in every form of the contract', () => {
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

  it('are refused by name when they are none', () => {
    expect(() => readDuration(create(DurationSchema, { textual: 'soon' }), 'interval')).toThrow('interval');
    expect(readDuration(create(DurationSchema, { textual: '1h' }), 'interval')).toBe(3600);
  });
});
