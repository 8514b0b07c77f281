import { expect, test } from 'vitest';
import { redacted } from './redact.ts';

const secret = 'Bearer 3kTq9-VERY-SECRET';

test('what a receiver quotes is taken out, as a whole and by its words', () => {
  const text = `401: ${secret} is wrong, {"token":"3kTq9-VERY-SECRET"}`;
  expect(redacted(text, [secret])).toBe('401: (hidden) is wrong, {"token":"(hidden)"}');
});

test('also where the text is cut within it', () => {
  for (const kept of [4, 10, 16]) {
    expect(redacted(`token ${'3kTq9-VERY-SECRET'.slice(0, kept)}`, [secret])).toBe('token (hidden)');
  }
  expect(redacted(`sent: ${secret.slice(0, -1)}`, [secret])).toBe('sent: (hidden)');
  const base64 = Buffer.from(secret).toString('base64');
  expect(redacted(`sent: ${base64.slice(0, 20)}`, [secret])).toBe('sent: (hidden)');
});

test('and nothing else', () => {
  expect(redacted('503: try again, 3kT', [secret])).toBe('503: try again, 3kT');
});
