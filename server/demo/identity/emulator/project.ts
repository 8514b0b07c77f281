import { randomBytes, randomInt } from 'node:crypto';

import { type AttemptLimit, trackAttempts } from './attempts.ts';
import type { EmulatorModules, Enrollment, OneTimeCode, ProjectState, VerificationCode } from './emulator-api.ts';
import type { Notice } from './messages.ts';

const MINUTE = 60_000;
/** The lifetimes of codes, the same as at Google. `other` applies to codes that verify an address. */
const lifetimes = { PASSWORD_RESET: 60 * MINUTE, other: 3 * 24 * 60 * MINUTE, sms: 5 * MINUTE } as const;

/** Limits the text messages to a number. Allows enough for a phone with poor coverage, but too few to be a nuisance. */
const smsLimit: AttemptLimit = { freeAttempts: 5, forgetAfter: 15 * MINUTE, firstPause: MINUTE, maxPause: 15 * MINUTE };

const noticeKinds: Readonly<Record<string, Notice['kind']>> = {
  VERIFY_EMAIL: 'verify-email',
  PASSWORD_RESET: 'reset-password',
  VERIFY_AND_CHANGE_EMAIL: 'change-email',
};

/**
 * Creates the emulator's project, and makes it behave like a Google project with passwords and MFA enabled. Its codes
 * are unguessable, expire, and are sent instead of logged. It has no tenants or anonymous accounts. It supports
 * authenticator apps as second factors in addition to phones.
 *
 * @param allowPassword true if users may sign in with a password
 * @param send sends emails and text messages
 */
export function createDemoProject(
  { AgentProjectState, EmulatorError }: Pick<EmulatorModules, 'AgentProjectState' | 'EmulatorError'>,
  id: string,
  allowPassword: boolean,
  send: (notice: Notice) => void,
): ProjectState {
  const expiry = new Map<string, number>();
  const smsAttempts = trackAttempts(smsLimit);
  const setExpiry = (code: string, lifetime: number): void => {
    for (const [expiredCode, expiresAt] of expiry) if (expiresAt < Date.now()) expiry.delete(expiredCode);
    expiry.set(code, Date.now() + lifetime);
  };
  const isExpired = (code: string): boolean => (expiry.get(code) ?? 0) < Date.now();

  class DemoProject extends AgentProjectState {
    get allowPasswordSignup(): boolean {
      return allowPassword;
    }

    get enableAnonymousUser(): boolean {
      return false;
    }

    get enableEmailLinkSignin(): boolean {
      return false;
    }

    getTenantProject(): never {
      throw new EmulatorError('UNSUPPORTED_TENANT_OPERATION');
    }

    createOob(email: string, newEmail: string | undefined, requestType: string): OneTimeCode {
      const oobCode = randomBytes(32).toString('base64url');
      // The emulator would create a link to itself. The link must lead to the console instead, so the server creates
      // it.
      const oob = { email, newEmail, requestType, oobCode, oobLink: '' };
      this.oobs.set(oobCode, oob);
      setExpiry(oobCode, requestType === 'PASSWORD_RESET' ? lifetimes.PASSWORD_RESET : lifetimes.other);
      const kind = noticeKinds[requestType];
      if (kind !== undefined) send({ kind, to: newEmail ?? email, code: oobCode });
      return oob;
    }

    override validateOobCode(code: string): OneTimeCode | undefined {
      const oob = super.validateOobCode(code);
      if (oob !== undefined && isExpired(code)) throw new EmulatorError('EXPIRED_OOB_CODE');
      return oob;
    }

    createVerificationCode(phoneNumber: string): VerificationCode {
      if (smsAttempts.isPaused(phoneNumber)) throw new EmulatorError('TOO_MANY_ATTEMPTS_TRY_LATER');
      smsAttempts.recordFailure(phoneNumber);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const verification = { code, phoneNumber, sessionInfo: randomBytes(32).toString('base64url') };
      this.verificationCodes.set(verification.sessionInfo, verification);
      setExpiry(verification.sessionInfo, lifetimes.sms);
      send({ kind: 'sms-code', to: phoneNumber, code });
      return verification;
    }

    getVerificationCodeBySessionInfo(sessionInfo: string): VerificationCode | undefined {
      const verification = this.verificationCodes.get(sessionInfo);
      if (verification !== undefined && isExpired(sessionInfo)) throw new EmulatorError('SESSION_EXPIRED');
      return verification;
    }

    /** Leaves out authenticator apps because the emulator checks that every factor has a unique phone number. */
    override validateMfaEnrollments(enrollments: Enrollment[]): Enrollment[] {
      super.validateMfaEnrollments(enrollments.filter(({ totpInfo }) => totpInfo === undefined));
      return enrollments;
    }
  }

  const project = new DemoProject(id);
  // Wrong passwords and unknown addresses get the same response, to avoid revealing which addresses have an account.
  project.enableImprovedEmailPrivacy = true;
  return project;
}
