import { expect, test } from 'vitest';

import { nearDurations, parseDuration, printDuration } from './duration.ts';

test.each([
  ['3600', ['1h', '3600s']],
  ['90', ['1m30s', '90s']],
  ['15', ['15m', '15s']],
  ['1:30', ['1h30m']],
  ['01:30:10', ['1h30m10s']],
  ['1h15', ['1h15m']],
  ['1m30', ['1m30s']],
  ['1 hour and 5 minutes', ['1h5m']],
  ['1,5h', ['1h30m']],
  ['2 days, 3 hours.', ['2d3h']],
  ['soon', []],
  ['1x', []],
  ['', []],
  ['1'.repeat(400), []],
])('suggests durations for %s: %j', (text, suggestions) => {
  expect(nearDurations(text)).toEqual(suggestions);
  expect(suggestions.map(parseDuration).filter((value) => value === undefined)).toEqual([]);
  expect(parseDuration(text) === undefined || suggestions.includes(printDuration(parseDuration(text)!))).toBe(true);
});
