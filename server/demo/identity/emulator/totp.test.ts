import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { acceptedStep, newTotpSecret } from './totp.ts';

const secret = newTotpSecret();
const NOW = 1_700_000_010_000;
const codeAt = (timestamp: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

describe('a code of an authenticator app', () => {
  it('is right in its half minute, and in the one before and after', () => {
    const steps = [-30_000, 0, 30_000].map((off) => acceptedStep(secret, codeAt(NOW + off), 0, NOW));
    const current = Math.floor(NOW / 30_000);
    expect(steps).toEqual([current - 1, current, current + 1]);
    expect(acceptedStep(secret, codeAt(NOW - 60_000), 0, NOW)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(NOW + 60_000), 0, NOW)).toBeUndefined();
  });

  it('is taken once, and none from before it afterwards', () => {
    const used = acceptedStep(secret, codeAt(NOW), 0, NOW) ?? 0;
    expect(acceptedStep(secret, codeAt(NOW), used, NOW)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(NOW - 30_000), used, NOW)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(NOW + 30_000), used, NOW)).toBe(used + 1);
  });

  it('is refused when it is none', () => {
    for (const code of ['', '12345', 'abcdef', '1234567', 'undefined']) {
      expect(acceptedStep(secret, code, 0, NOW), code).toBeUndefined();
    }
  });
});
