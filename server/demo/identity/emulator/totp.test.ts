import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';

import { verifyTotpCode, createTotpSecret } from './totp.ts';

const secret = createTotpSecret();
const NOW = 1_700_000_010_000;
const codeAt = (timestamp: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

describe('an authenticator code', () => {
  test('is valid in its own half minute, and in the half minutes before and after', () => {
    const steps = [-30_000, 0, 30_000].map((offset) => verifyTotpCode(secret, codeAt(NOW + offset), 0, NOW));
    const current = Math.floor(NOW / 30_000);
    expect(steps).toEqual([current - 1, current, current + 1]);
    expect(verifyTotpCode(secret, codeAt(NOW - 60_000), 0, NOW)).toBeUndefined();
    expect(verifyTotpCode(secret, codeAt(NOW + 60_000), 0, NOW)).toBeUndefined();
  });

  test('works only once, and invalidates earlier codes', () => {
    const usedStep = verifyTotpCode(secret, codeAt(NOW), 0, NOW) ?? 0;
    expect(verifyTotpCode(secret, codeAt(NOW), usedStep, NOW)).toBeUndefined();
    expect(verifyTotpCode(secret, codeAt(NOW - 30_000), usedStep, NOW)).toBeUndefined();
    expect(verifyTotpCode(secret, codeAt(NOW + 30_000), usedStep, NOW)).toBe(usedStep + 1);
  });

  test('is rejected if malformed', () => {
    for (const code of ['', '12345', 'abcdef', '1234567', 'undefined']) {
      expect(verifyTotpCode(secret, code, 0, NOW), code).toBeUndefined();
    }
  });
});
