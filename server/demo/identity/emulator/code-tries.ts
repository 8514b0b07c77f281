import { type AttemptLimit, trackAttempts } from './attempts.ts';
import type { EmulatorModules, Json } from './emulator-api.ts';

const MINUTE = 60_000;
/** How long a sign-in or an enrollment waits for a code: long enough to fetch a phone, install an app and copy it. */
export const CODE_LIFETIME = 15 * MINUTE;
/** Five wrong codes end the sign-in or enrollment. */
const SESSION_LIMIT: AttemptLimit = {
  free: 5,
  forgetAfter: CODE_LIFETIME,
  firstPause: CODE_LIFETIME,
  maxPause: CODE_LIFETIME,
};
/** Someone who knows the password could otherwise begin again after every five. */
const ACCOUNT_LIMIT: AttemptLimit = { free: 20, forgetAfter: 60 * MINUTE, firstPause: MINUTE, maxPause: 60 * MINUTE };

/**
 * Checks a code, unless there were too many wrong ones.
 *
 * @param session the sign-in or enrollment that waits for it
 */
export type CheckCode = (session: string, localId: string, check: () => Promise<Json>) => Promise<Json>;

/** Counts wrong codes, for any kind of factor and any purpose. */
export function limitCodeTries({ EmulatorError }: EmulatorModules): CheckCode {
  const sessions = trackAttempts(SESSION_LIMIT);
  const accounts = trackAttempts(ACCOUNT_LIMIT);
  return async (session, localId, check) => {
    if (sessions.paused(session) || accounts.paused(localId)) {
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
