import { type AttemptLimit, trackAttempts } from './attempts.ts';
import type { EmulatorModules, Json } from './emulator-api.ts';

const MINUTE = 60_000;
/** How long a sign-in or an enrollment waits for a code. Long enough to fetch a phone and install an app. */
export const CODE_LIFETIME = 15 * MINUTE;
/** Five wrong codes end the sign-in or enrollment. */
const SESSION_LIMIT: AttemptLimit = {
  freeAttempts: 5,
  forgetAfter: CODE_LIFETIME,
  firstPause: CODE_LIFETIME,
  maxPause: CODE_LIFETIME,
};
/** Stops someone who knows the password from starting a new sign-in after every five wrong codes. */
const ACCOUNT_LIMIT: AttemptLimit = {
  freeAttempts: 20,
  forgetAfter: 60 * MINUTE,
  firstPause: MINUTE,
  maxPause: 60 * MINUTE,
};

/**
 * Checks a code, unless too many wrong codes were entered before.
 *
 * @param session the sign-in or enrollment that is waiting for the code
 */
export type CheckCode = (session: string, localId: string, check: () => Promise<Json>) => Promise<Json>;

/** Limits the number of wrong codes, for every kind of second factor, at sign-in and at enrollment. */
export function limitCodeAttempts({ EmulatorError }: EmulatorModules): CheckCode {
  const sessions = trackAttempts(SESSION_LIMIT);
  const accounts = trackAttempts(ACCOUNT_LIMIT);
  return async (session, localId, check) => {
    if (sessions.isPaused(session) || accounts.isPaused(localId)) {
      throw new EmulatorError('TOO_MANY_ATTEMPTS_TRY_LATER : Too many wrong codes.');
    }
    try {
      const result = await check();
      accounts.forget(localId);
      return result;
    } catch (error) {
      if (error instanceof EmulatorError && error.message === 'INVALID_CODE') {
        sessions.recordFailure(session);
        accounts.recordFailure(localId);
      }
      throw error;
    }
  };
}
