import { expect, test } from 'vitest';

import { redact } from './redact.ts';

const SECRET = 'Bearer 3kTq9-VERY-SECRET';

test('removes a secret from a response, both whole and word by word', () => {
  const text = `401: ${SECRET} is wrong, {"token":"3kTq9-VERY-SECRET"}`;
  expect(redact(text, [SECRET])).toBe('401: (hidden) is wrong, {"token":"(hidden)"}');
});

test('removes truncated secrets', () => {
  for (const length of [4, 10, 16]) {
    expect(redact(`token ${'3kTq9-VERY-SECRET'.slice(0, length)}`, [SECRET])).toBe('token (hidden)');
  }
  expect(redact(`sent: ${SECRET.slice(0, -1)}`, [SECRET])).toBe('sent: (hidden)');
  const base64 = Buffer.from(SECRET).toString('base64');
  expect(redact(`sent: ${base64.slice(0, 20)}`, [SECRET])).toBe('sent: (hidden)');
});

test('keeps everything else', () => {
  expect(redact('503: try again, 3kT', [SECRET])).toBe('503: try again, 3kT');
});
