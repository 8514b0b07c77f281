import { afterEach, expect, test, vi } from 'vitest';

import { spanText, timeSteps } from './time-axis.ts';

afterEach(() => void vi.unstubAllEnvs());

const YEAR = 365 * 86_400_000;
/** The number of labels that fit into the narrowest chart. */
const MIN_LABELS = 3;

test.each([201, 900, 2500, 8000, 10_000])('has a step whose labels fit for %d years', (years) => {
  const span = { from: 0, to: years * YEAR };
  const counts = (timeSteps(span) ?? []).map((step) => span.to / step);
  expect(Math.min(...counts)).toBeLessThanOrEqual(MIN_LABELS);
  expect(Math.max(...counts)).toBeGreaterThan(MIN_LABELS);
});

test('leaves shorter periods to the library', () => {
  expect(timeSteps({ from: 0, to: 100 * YEAR })).toBeUndefined();
});

test.each([
  ['Europe/Amsterdam', '10 Feb', '11 Feb 13:00 UTC+1'],
  ['UTC', '10 Feb', '11 Feb 12:00 UTC'],
  ['America/St_Johns', '10 Feb', '11 Feb 08:30 UTC-3:30'],
])('tells the time zone of a period in %s', (zone, start, end) => {
  vi.stubEnv('TZ', zone);
  const year = new Date().getFullYear();
  const span = { from: Date.UTC(year, 1, 10, 12), to: Date.UTC(year, 1, 11, 12) };
  const text = spanText(span, { language: 'en', format: undefined });
  expect(text.startsWith(start)).toBe(true);
  expect(text.endsWith(` – ${end}`)).toBe(true);
});

test('tells both time zones of a period in which the clock changes', () => {
  vi.stubEnv('TZ', 'Europe/Amsterdam');
  const year = new Date().getFullYear();
  const span = { from: Date.UTC(year, 1, 10, 12), to: Date.UTC(year, 5, 11, 12) };
  expect(spanText(span, { language: 'en', format: undefined })).toBe('10 Feb 13:00 UTC+1 – 11 Jun 14:00 UTC+2');
});
