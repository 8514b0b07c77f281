import { presentFactor } from './accounts.ts';
import { type CheckCode, CODE_LIFETIME } from './code-attempts.ts';
import type { EmulatorModules, EmulatorUser, Json, Operation, ProjectState } from './emulator-api.ts';
import { createHandles } from './handles.ts';
import type { IssueTokens } from './sessions.ts';
import { verifyTotpCode } from './totp.ts';

/** A sign-in that is waiting for its second factor. */
interface PendingSignIn {
  /** The emulator's credential for the sign-in. It is unsigned and easy to forge, so it never leaves this process. */
  readonly credential: string;
  readonly localId: string;
  readonly signInProvider: string;
}

/**
 * Lets users sign in with an authenticator app, which the emulator does not support. Secures both kinds of second
 * factor: a pending sign-in has a random handle, and ends after a few wrong codes.
 */
export function signInWithSecondFactors(
  modules: EmulatorModules,
  checkCode: CheckCode,
  issueTokens: IssueTokens,
): void {
  const { operations, EmulatorError } = modules;
  const { accounts } = operations.identitytoolkit;
  const { start, finalize } = accounts.mfaSignIn;
  const signIns = createHandles<PendingSignIn>(CODE_LIFETIME);

  const withHandle =
    (signIn: Operation): Operation =>
    async (state, body, context) => {
      const response = await signIn(state, body, context);
      const { mfaPendingCredential: credential } = response;
      if (typeof credential !== 'string') return response;
      const pendingSignIn = JSON.parse(Buffer.from(credential, 'base64').toString('utf8')) as Omit<
        PendingSignIn,
        'credential'
      >;
      const mfaPendingCredential = signIns.store({ ...pendingSignIn, credential });
      const mfaInfo = completeHints(response.mfaInfo as Json[], state.getUserByLocalId(pendingSignIn.localId));
      return { ...response, mfaPendingCredential, mfaInfo };
    };
  accounts.signInWithPassword = withHandle(accounts.signInWithPassword);
  accounts.signInWithIdp = withHandle(accounts.signInWithIdp);

  const findPendingSignIn = ({ mfaPendingCredential: handle }: Json): PendingSignIn => {
    const pendingSignIn = signIns.find(String(handle));
    if (pendingSignIn === undefined) throw new EmulatorError('INVALID_MFA_PENDING_CREDENTIAL');
    return pendingSignIn;
  };

  accounts.mfaSignIn.start = (state, body, context) =>
    start(state, { ...body, mfaPendingCredential: findPendingSignIn(body).credential }, context);

  accounts.mfaSignIn.finalize = async (state, body, context) => {
    const pendingSignIn = findPendingSignIn(body);
    const handle = String(body.mfaPendingCredential);
    const response = await checkCode(handle, pendingSignIn.localId, async () =>
      body.totpVerificationInfo === undefined
        ? finalize(state, { ...body, mfaPendingCredential: pendingSignIn.credential }, context)
        : verifyAppCode(state, pendingSignIn, body),
    );
    signIns.remove(handle);
    return response;
  };

  const verifyAppCode = async (
    state: ProjectState,
    { localId, signInProvider }: PendingSignIn,
    body: Json,
  ): Promise<Json> => {
    const user = state.getUserByLocalId(localId);
    const factor = user?.mfaInfo?.find(({ mfaEnrollmentId }) => mfaEnrollmentId === body.mfaEnrollmentId);
    if (user === undefined || factor?.totpSecret === undefined) throw new EmulatorError('MFA_ENROLLMENT_NOT_FOUND');
    if (user.disabled === true) throw new EmulatorError('USER_DISABLED');
    const { verificationCode } = body.totpVerificationInfo as Json;
    const step = verifyTotpCode(factor.totpSecret, String(verificationCode), factor.totpStep ?? 0, Date.now());
    if (step === undefined) throw new EmulatorError('INVALID_CODE');
    factor.totpStep = step;
    const updatedUser = state.updateUserByLocalId(localId, { lastLoginAt: String(Date.now()) });
    return issueTokens(state, updatedUser, signInProvider, { identifier: factor.mfaEnrollmentId, provider: 'totp' });
  };
}

/** Adds the fields that the emulator omits for authenticator apps to its hints. Phone numbers in hints are masked. */
function completeHints(hints: readonly Json[], user: EmulatorUser | undefined): Json[] {
  return hints.map((hint) => {
    const factor = user?.mfaInfo?.find(({ mfaEnrollmentId }) => mfaEnrollmentId === hint.mfaEnrollmentId);
    return factor?.totpInfo === undefined ? hint : presentFactor(factor);
  });
}
