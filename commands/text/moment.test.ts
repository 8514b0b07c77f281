import { expect, test } from 'vitest';

import { momentRange } from '#commands/model/moment.ts';
import { firstDay, momentFormat, readPreferences } from '#commands/session/preferences.ts';

import { formatMoment, MOMENT_FORMATS, momentFormatter } from './moment.ts';

const evening = new Date(2026, 10, 3, 20, 5, 9).getTime();
const noon = new Date(2026, 10, 3, 12, 0, 0).getTime();
const midnight = new Date(2026, 10, 3, 0, 0, 0).getTime();

test.each([
  ['named-month', '03 Nov 2026, 20:05:09', '03 Nov 2026, 00:00:00'],
  ['iso', '2026-11-03 20:05:09', '2026-11-03 00:00:00'],
  ['day-first', '03-11-2026 20:05:09', '03-11-2026 00:00:00'],
  ['month-first', '11/03/2026 08:05:09 PM', '11/03/2026 12:00:00 AM'],
] as const)('formats a timestamp as %s', (format, eveningText, midnightText) => {
  expect(formatMoment(evening, format)).toBe(eveningText);
  expect(formatMoment(midnight, format)).toBe(midnightText);
});

test('distinguishes noon from midnight and localizes the month', () => {
  expect(formatMoment(noon, 'month-first')).toBe('11/03/2026 12:00:00 PM');
  expect(formatMoment(new Date(2026, 10, 3, 13, 1, 2).getTime(), 'month-first')).toBe('11/03/2026 01:01:02 PM');
  expect(formatMoment(new Date(2026, 4, 3).getTime(), 'named-month', 'nl')).toMatch(/^03 mei 2026/);
  expect(MOMENT_FORMATS).toEqual(['named-month', 'iso', 'day-first', 'month-first']);
});

test.each([
  ['named-month', '03 Nov 2026'],
  ['iso', '2026-11-03'],
  ['day-first', '03-11-2026'],
  ['month-first', '11/03/2026'],
] as const)('formats a day as %s in any time zone', (format, text) => {
  const formatter = momentFormatter(format);
  const day = Date.UTC(2026, 10, 3);
  expect(formatter(day, 'day')).toBe(text);
  expect(formatter(evening)).toBe(formatMoment(evening, format));
});

test('ignores invalid preferences and falls back to Monday', () => {
  expect(momentFormat({ dateTimeFormat: 'stardate' })).toBeUndefined();
  expect(MOMENT_FORMATS).toContain(momentFormat({ dateTimeFormat: 'iso' }));
  expect([firstDay({}), firstDay({ firstDayOfWeek: 'SUNDAY' })]).toEqual(['MONDAY', 'SUNDAY']);
  expect([readPreferences(''), readPreferences('[1]'), readPreferences('{')]).toEqual([{}, undefined, undefined]);
});

test('starts a week on the preferred day', () => {
  const wednesday = new Date('2026-11-18T12:00:00Z');
  const week = (day: 'MONDAY' | 'SUNDAY') => momentRange({ value: 'this week' }, wednesday, day).start?.timestamp;
  const seconds = (text: string) => BigInt(Date.parse(text) / 1000);
  expect(week('MONDAY')?.seconds).toBe(seconds('2026-11-16T00:00:00Z'));
  expect(week('SUNDAY')?.seconds).toBe(seconds('2026-11-15T00:00:00Z'));
});
