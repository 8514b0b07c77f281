import { expect, test } from 'vitest';

import { localSpan, parseRange, parseZoom, PRESETS, findPreset, printRange, printZoom } from './chart-range.ts';

const now = new Date('2026-11-20T15:30:00Z');
const context = { now: () => now, preferences: {} } as unknown as Parameters<typeof localSpan>[1];
const DAY = 86_400_000;

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

test('an invalid range is not read', () => {
  expect(parseRange('next tuesday')).toBeUndefined();
});
