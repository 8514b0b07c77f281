import { type AttemptLimit, attempts } from './attempts.ts';
import type { EmulatorModules, Json } from './emulator-api.ts';

const MINUTE = 60_000;
/** To fetch a phone, install an app and copy a code: how long a sign-in or an enrolment waits for one. */
export const patience = 15 * MINUTE;
/** Five wrong codes end what they were for. */
const perSession: AttemptLimit = { free: 5, forgetAfter: patience, firstPause: patience, longestPause: patience };
/** Whoever knows the password could begin anew after each five. */
const perAccount: AttemptLimit = { free: 20, forgetAfter: 60 * MINUTE, firstPause: MINUTE, longestPause: 60 * MINUTE };

/**
 * Looks at a code, unless there were too many wrong ones.
 *
 * @param session the sign-in or enrolment that waits for it
 */
export type CountTry = (session: string, localId: string, check: () => Promise<Json>) => Promise<Json>;

/** Counts wrong codes, whichever kind of factor and whatever for. */
export function codeTries({ EmulatorError }: EmulatorModules): CountTry {
  const sessions = attempts(perSession);
  const accounts = attempts(perAccount);
  return async (session, localId, check) => {
    if (sessions.paused(session) || accounts.paused(localId)) {
      throw new EmulatorError('TOO_MANY_ATTEMPTS_TRY_LATER : Too many wrong codes.');
    }
    try {
      const answer = await check();
      accounts.forget(localId);
      return answer;
    } catch (error) {
      if (error instanceof EmulatorError && error.message === 'INVALID_CODE') {
        sessions.failed(session);
        accounts.failed(localId);
      }
      throw error;
    }
  };
}
