import { expect, test } from 'vitest';

import { isColor } from './color.ts';

test.each(['red', ' Red ', 'rebeccapurple', '#fff', '#2E7D32'])('accepts %s', (text) => {
  expect(isColor(text)).toBe(true);
});

test.each([
  '',
  'redd',
  'currentcolor',
  '#ff',
  '#2e7d3g',
  'url(https://example.com)',
  'red;background:url(https://example.com)',
  'var(--accent)',
  '__proto__',
])('rejects %s', (text) => {
  expect(isColor(text)).toBe(false);
});
