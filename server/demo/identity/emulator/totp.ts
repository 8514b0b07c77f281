import { Secret, TOTP } from 'otpauth';

/** What Google answers to an authenticator app, and what every app assumes. */
export const totpParameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Clocks of phones differ: a code of the step before or after counts too. */
const DRIFT = 1;

/** @returns 160 random bits in base 32, as RFC 4226 recommends */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/**
 * Checks a code of an authenticator app.
 *
 * @param usedStep the step of the last code that was accepted: that one and those before it are refused, so that a code
 *   that somebody has seen is worth nothing (RFC 6238, 5.2)
 * @returns the step of the code, to be kept; undefined when it is wrong
 */
export function acceptedStep(secret: string, code: string, usedStep: number, timestamp: number): number | undefined {
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
