import { expect, test } from 'vitest';
import { redacted } from './redact.ts';

const SECRET = 'Bearer 3kTq9-VERY-SECRET';

test('what a receiver quotes is taken out, as a whole and by its words', () => {
  const text = `401: ${SECRET} is wrong, {"token":"3kTq9-VERY-SECRET"}`;
  expect(redacted(text, [SECRET])).toBe('401: (hidden) is wrong, {"token":"(hidden)"}');
});

test('also where the text is cut within it', () => {
  for (const kept of [4, 10, 16]) {
    expect(redacted(`token ${'3kTq9-VERY-SECRET'.slice(0, kept)}`, [SECRET])).toBe('token (hidden)');
  }
  expect(redacted(`sent: ${SECRET.slice(0, -1)}`, [SECRET])).toBe('sent: (hidden)');
  const base64 = Buffer.from(SECRET).toString('base64');
  expect(redacted(`sent: ${base64.slice(0, 20)}`, [SECRET])).toBe('sent: (hidden)');
});

test('and nothing else', () => {
  expect(redacted('503: try again, 3kT', [SECRET])).toBe('503: try again, 3kT');
});
