import { expect, test } from 'vitest';
import { jsonText } from './json.ts';

test('what a terminal would obey is escaped, and reads back as it was', () => {
  const value = { answer: '\u001b[31m \u007f \u009b31m \u202eabc\u2066 ü 日本 😀' };
  const text = jsonText(value);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001b\u007f-\u009f\p{Bidi_Control}]/u);
  expect(text).toContain('ü 日本 😀');
  expect(JSON.parse(text)).toEqual(value);
});
