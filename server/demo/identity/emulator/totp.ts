import { Secret, TOTP } from 'otpauth';

/** The parameters that Google uses and that every authenticator app assumes. */
export const totpParameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** A code may be early or late by this number of steps because the clocks of phones differ. */
const DRIFT = 1;

/** Returns 160 random bits in base 32, as RFC 4226 recommends. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32;

/**
 * Checks a code from an authenticator app.
 *
 * @param usedStep the step of the last accepted code. This step and all earlier steps are rejected, so a code can't
 *   be reused by someone who sees it (RFC 6238, 5.2)
 * @returns the code's step, which the caller must store; undefined if the code is wrong
 */
export function verifyTotpCode(secret: string, code: string, usedStep: number, timestamp: number): number | undefined {
  const delta = TOTP.validate({
    ...totpParameters,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: DRIFT,
  });
  if (delta === null) return undefined;
  const step = TOTP.counter({ period: totpParameters.period, timestamp }) + delta;
  return step > usedStep ? step : undefined;
}
