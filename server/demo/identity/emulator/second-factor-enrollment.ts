import { randomBytes } from 'node:crypto';

import type { FindAccount } from './accounts.ts';
import { type CheckCode, CODE_LIFETIME } from './code-attempts.ts';
import type { EmulatorModules, EmulatorUser, Json, ProjectState } from './emulator-api.ts';
import { createHandles } from './handles.ts';
import type { IssueTokens } from './sessions.ts';
import { verifyTotpCode, createTotpSecret, totpParameters } from './totp.ts';

/** The maximum number of second factors, the same as at Google. */
const MAX_FACTORS = 5;

/** Lets users enroll an authenticator app as a second factor. The emulator itself supports only phones. */
export function enrollSecondFactors(
  modules: EmulatorModules,
  findAccount: FindAccount,
  checkCode: CheckCode,
  issueTokens: IssueTokens,
): void {
  const { operations, EmulatorError } = modules;
  const { mfaEnrollment } = operations.identitytoolkit.accounts;
  const { start, finalize } = mfaEnrollment;
  const enrollments = createHandles<{ localId: string; secret: string }>(CODE_LIFETIME);

  mfaEnrollment.start = async (state, body, context) => {
    const user = await findAccount(state, body.idToken);
    if ((user.mfaInfo?.length ?? 0) >= MAX_FACTORS) throw new EmulatorError('SECOND_FACTOR_LIMIT_EXCEEDED');
    if (body.totpEnrollmentInfo === undefined) return start(state, body, context);
    if (user.emailVerified !== true) {
      throw new EmulatorError('UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.');
    }
    const secret = createTotpSecret();
    return {
      totpSessionInfo: {
        sharedSecretKey: secret,
        hashingAlgorithm: totpParameters.algorithm,
        verificationCodeLength: totpParameters.digits,
        periodSec: totpParameters.period,
        sessionInfo: enrollments.store({ localId: user.localId, secret }),
        finalizeEnrollmentTime: new Date(Date.now() + CODE_LIFETIME).toISOString(),
      },
    };
  };

  mfaEnrollment.finalize = async (state, body, context) => {
    const user = await findAccount(state, body.idToken);
    const app = body.totpVerificationInfo as Json | undefined;
    const session = String((app ?? (body.phoneVerificationInfo as Json | undefined))?.sessionInfo);
    return checkCode(session, user.localId, async () =>
      app === undefined ? finalize(state, body, context) : enroll(state, user, session, body),
    );
  };

  const enroll = async (state: ProjectState, user: EmulatorUser, session: string, body: Json): Promise<Json> => {
    const enrollment = enrollments.find(session);
    if (enrollment?.localId !== user.localId) throw new EmulatorError('SESSION_EXPIRED');
    const { verificationCode } = body.totpVerificationInfo as Json;
    const step = verifyTotpCode(enrollment.secret, String(verificationCode), 0, Date.now());
    if (step === undefined) throw new EmulatorError('INVALID_CODE');
    enrollments.remove(session);
    const mfaEnrollmentId = randomBytes(20).toString('base64url');
    const factor = {
      mfaEnrollmentId,
      ...(typeof body.displayName === 'string' ? { displayName: body.displayName } : {}),
      enrolledAt: new Date().toISOString(),
      totpInfo: {},
      totpSecret: enrollment.secret,
      totpStep: step,
    };
    const updatedUser = state.updateUserByLocalId(user.localId, { mfaInfo: [...(user.mfaInfo ?? []), factor] });
    const tokens = await issueTokens(state, updatedUser, providerIn(body.idToken), {
      identifier: mfaEnrollmentId,
      provider: 'totp',
    });
    return { ...tokens, totpAuthInfo: {} };
  };
}

/** Returns the sign-in method from an ID token that has already been checked. */
function providerIn(idToken: unknown): string {
  const claims = Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString('utf8');
  return (JSON.parse(claims) as { firebase: { sign_in_provider: string } }).firebase.sign_in_provider;
}
