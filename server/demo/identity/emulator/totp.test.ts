import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { acceptedStep, newTotpSecret } from './totp.ts';

const secret = newTotpSecret();
const now = 1_700_000_010_000;
const codeAt = (timestamp: number) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });

describe('a code of an authenticator app', () => {
  it('is right in its half minute, and in the one before and after', () => {
    const steps = [-30_000, 0, 30_000].map((off) => acceptedStep(secret, codeAt(now + off), 0, now));
    const current = Math.floor(now / 30_000);
    expect(steps).toEqual([current - 1, current, current + 1]);
    expect(acceptedStep(secret, codeAt(now - 60_000), 0, now)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(now + 60_000), 0, now)).toBeUndefined();
  });

  it('is taken once, and none from before it afterwards', () => {
    const used = acceptedStep(secret, codeAt(now), 0, now) ?? 0;
    expect(acceptedStep(secret, codeAt(now), used, now)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(now - 30_000), used, now)).toBeUndefined();
    expect(acceptedStep(secret, codeAt(now + 30_000), used, now)).toBe(used + 1);
  });

  it('is refused when it is none', () => {
    for (const code of ['', '12345', 'abcdef', '1234567', 'undefined']) {
      expect(acceptedStep(secret, code, 0, now), code).toBeUndefined();
    }
  });
});
