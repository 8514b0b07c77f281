import { Secret, TOTP } from 'otpauth';

/** Google's parameters for authenticator apps, which every app assumes. */
export const totpParameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** The number of steps before and after the current one whose codes are accepted, because phones' clocks differ. */
const DRIFT = 1;

/** Returns 160 random bits in base 32, as RFC 4226 recommends. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32;

/**
 * Checks a code from an authenticator app.
 *
 * @param usedStep the step of the last accepted code; it and all earlier steps are refused, so an observed code is
 * worthless (RFC 6238, 5.2)
 * @returns the step of the code, to be stored; undefined if the code is wrong
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
