import { Buffer } from 'node:buffer';

import { expect, test } from 'vitest';

import { toBase64 } from './base64.ts';

test.each([0, 1, 2, 3, 4, 24_575, 24_576, 24_577, 100_000])('encodes %i bytes as Node does', (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 167) & 255);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});
