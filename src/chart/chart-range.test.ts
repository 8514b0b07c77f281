import { afterEach, describe, expect, test, vi } from 'vitest';

import { rangeSpan } from '#commands/kit/value-chart.ts';
import { parseValue, printValue } from '#commands/line/line.ts';
import type { KindValues } from '#commands/model/arg-value.ts';
import { p } from '#commands/model/params.ts';
import { PRESETS } from '#commands/nouns/console/chart/presets.ts';

import {
  exportRange,
  localContext,
  localSpan,
  parseRange,
  parseZoom,
  findPreset,
  printRange,
  printZoom,
} from './chart-range.ts';

const now = new Date('2026-11-20T15:30:00Z');
const context = { now: () => now, preferences: {} } as unknown as Parameters<typeof localSpan>[1];
const DAY = 86_400_000;
/** Prints a range of an export, whose times are in UTC, and reads it back. */
const readBack = (range: KindValues['range']) => {
  const parsed = parseValue(p.range(), printValue(p.range(), range));
  return (parsed as { readonly value: KindValues['range'] }).value;
};

test.each(Object.keys(PRESETS))('the preset %s is read back from its address', (id) => {
  const range = PRESETS[id]!;
  expect(findPreset(parseRange(printRange(range))!)).toBe(id);
});

test("a day starts at midnight in the user's time zone", () => {
  const { from, to } = localSpan(PRESETS['today']!, context);
  expect([new Date(from).getHours(), new Date(from).getMinutes()]).toEqual([0, 0]);
  expect(to - from).toBe(DAY - 1);
  expect(from).toBeLessThanOrEqual(now.getTime());
  expect(to).toBeGreaterThanOrEqual(now.getTime());
});

test('a relative range ends now', () => {
  expect(localSpan({ start: '-7d', end: 'now' }, context)).toEqual({
    from: now.getTime() - 7 * DAY,
    to: now.getTime(),
  });
});

test('two days include both in full', () => {
  const { from, to } = localSpan({ start: '2026-11-01', end: '2026-11-02' }, context);
  expect(to - from).toBe(2 * DAY - 1);
});

test('a zoomed part is read back, and other text is ignored', () => {
  const span = { from: Date.UTC(2026, 10, 20), to: Date.UTC(2026, 10, 21) };
  expect(parseZoom(printZoom(span))).toEqual(span);
  expect([undefined, '', 'x..y', '2026-11-21..2026-11-20'].map(parseZoom)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("times are in the user's time zone, so an offset is not read", () => {
  expect(parseRange('2026-11-20 14:00..2026-11-21 14:00')).toBeDefined();
  for (const time of ['2026-11-20 14:00+02:00', '2026-11-20T14:00Z', '2026-11-20 14:00:05 -03:30'])
    expect(parseRange(`${time}..2026-11-21 14:00`), time).toBeUndefined();
});

test('an invalid range is not read', () => {
  expect(parseRange('next tuesday')).toBeUndefined();
});

describe('in a time zone with daylight-saving time', () => {
  afterEach(() => vi.unstubAllEnvs());
  const iso = ({ from, to }: ReturnType<typeof localSpan>) => [from, to].map((time) => new Date(time).toISOString());
  const contextAt = (time: string) => ({ ...context, now: () => new Date(time) });

  test.each([
    // 25 hours, after the end of summer time at 3:00.
    ['2026-10-25T12:00:00Z', 'today', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2026-10-26T12:00:00Z', 'yesterday', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    // 23 hours.
    ['2027-03-28T12:00:00Z', 'today', '2027-03-27T23:00:00.000Z', '2027-03-28T21:59:59.999Z'],
    // Monday to Sunday, an hour longer than other weeks.
    ['2026-10-22T12:00:00Z', 'this-week', '2026-10-18T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['2026-11-10T12:00:00Z', 'last-month', '2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'],
    // 24 hours of the clock on the wall are 24 hours of measuring, too.
    ['2026-10-25T12:00:00Z', 'last-24h', '2026-10-24T12:00:00.000Z', '2026-10-25T12:00:00.000Z'],
    // Still yesterday in UTC.
    ['2026-11-20T23:30:00Z', 'today', '2026-11-20T23:00:00.000Z', '2026-11-21T22:59:59.999Z'],
  ])('at %s, %s has the days of the clock on the wall', (time, preset, from, to) => {
    vi.stubEnv('TZ', 'Europe/Amsterdam');
    expect(iso(localSpan(PRESETS[preset]!, contextAt(time)))).toEqual([from, to]);
  });

  test.each([
    // The clock skips midnight.
    ['America/Santiago', '2026-09-06T15:00:00Z', 'today', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
    ['America/Santiago', '2026-09-06T15:00:00Z', 'yesterday', '2026-09-05T04:00:00.000Z', '2026-09-06T03:59:59.999Z'],
    // The clock shows the last hour of the day twice, or the first one.
    ['America/Nuuk', '2026-10-24T12:00:00Z', 'today', '2026-10-24T01:00:00.000Z', '2026-10-25T01:59:59.999Z'],
    ['America/Havana', '2026-11-01T12:00:00Z', 'today', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['Australia/Lord_Howe', '2026-04-05T03:00:00Z', 'today', '2026-04-04T13:00:00.000Z', '2026-04-05T13:29:59.999Z'],
    ['America/St_Johns', '2026-03-08T15:00:00Z', 'today', '2026-03-08T03:30:00.000Z', '2026-03-09T02:29:59.999Z'],
    ['Asia/Kathmandu', '2026-11-20T19:00:00Z', 'today', '2026-11-20T18:15:00.000Z', '2026-11-21T18:14:59.999Z'],
  ])('in %s at %s, %s is from midnight to midnight', (zone, time, preset, from, to) => {
    vi.stubEnv('TZ', zone);
    expect(iso(localSpan(PRESETS[preset]!, contextAt(time)))).toEqual([from, to]);
  });

  test("the calendar's today is that of the clock on the wall", () => {
    vi.stubEnv('TZ', 'Europe/Amsterdam');
    const { now: localNow } = localContext(contextAt('2026-11-20T23:30:00Z'));
    expect(localNow().toISOString()).toBe('2026-11-21T00:30:00.000Z');
  });
});

test('an export of a chart has the times that the chart shows', () => {
  const today = localSpan(PRESETS['today']!, context);
  const zoom = { from: today.from + 3_600_000, to: today.from + 7_200_000 };
  const spanOf = (...args: Parameters<typeof exportRange>) => rangeSpan(readBack(exportRange(...args)), context);
  expect(spanOf(PRESETS['today']!, undefined, today)).toEqual(today);
  expect(spanOf(PRESETS['last-7d']!, zoom, zoom)).toEqual(zoom);
  // A range that ends now stays open, and needs no exact times.
  expect(exportRange(PRESETS['last-7d']!, undefined, today)).toEqual(PRESETS['last-7d']);
  expect(exportRange(PRESETS['today']!, undefined, undefined)).toEqual(PRESETS['today']);
});
