import { expect, test } from 'vitest';

import { signature, verifySignature } from './signature.ts';

const body = Buffer.from('The quick brown fox jumps over the lazy dog');

test('signs with HMAC-SHA256 in hex, prefixed with the algorithm', () => {
  expect(signature('key', body)).toBe('sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8');
});

test('verifies a signature only with the same secret and body', () => {
  const value = signature('key', body);
  expect(verifySignature('key', body, value)).toBe(true);
  expect(verifySignature('other', body, value)).toBe(false);
  expect(verifySignature('key', Buffer.from('another body'), value)).toBe(false);
  expect(verifySignature('key', body, '')).toBe(false);
});
