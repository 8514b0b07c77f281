import { randomBytes } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { createSealer, UnsealError } from './secrets.ts';

describe('sealed secrets', () => {
  const sealer = createSealer(randomBytes(32));

  test('decrypt to the original and differ each time', () => {
    const first = sealer.seal('hush € 🤫');
    expect(sealer.open(first)).toBe('hush € 🤫');
    expect(first).not.toContain('hush');
    expect(sealer.seal('hush € 🤫')).not.toBe(first);
    expect(sealer.open(sealer.seal(''))).toBe('');
  });

  test("can't be decrypted with a different key, or after a change", () => {
    const sealed = sealer.seal('hush');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    expect(() => createSealer(randomBytes(32)).open(sealed)).toThrow(UnsealError);
    expect(() => sealer.open(changed)).toThrow(UnsealError);
  });
});

test("can't open text that was never sealed", () => {
  expect(() => createSealer(randomBytes(32)).open('hush')).toThrow(UnsealError);
});

test('requires a 32-byte key', () => {
  expect(() => createSealer(randomBytes(16))).toThrow('32 bytes');
});
