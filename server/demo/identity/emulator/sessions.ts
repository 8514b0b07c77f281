import type { EmulatorModules, EmulatorUser, Json, ProjectState, SecondFactorClaim } from './emulator-api.ts';

/**
 * Issues the tokens of a new session, as `idToken` and `refreshToken`.
 *
 * @param provider the sign-in method, such as `password` or `google.com`
 */
export type IssueTokens = (
  state: ProjectState,
  user: EmulatorUser,
  provider: string,
  secondFactor: SecondFactorClaim,
) => Promise<Json>;

/** Issues tokens by renewing the tokens of a new session, which is the only way that the emulator offers. */
export function createTokenIssuer({ operations }: EmulatorModules): IssueTokens {
  const { token } = operations.securetoken;
  return async (state, user, provider, secondFactor) => {
    const refreshToken = state.createRefreshTokenFor(user, provider, { secondFactor });
    const response = await token(state, { grantType: 'refresh_token', refreshToken }, {});
    return { idToken: response.id_token, refreshToken };
  };
}

/** The contents of a refresh token, including the fields that we add. */
interface Session {
  readonly localId: string;
  /** The time of the sign-in, as in `lastLoginAt`. */
  authTime?: string;
  /** The time of issue, in milliseconds since the epoch. */
  readonly issuedAt?: number;
}

/**
 * Makes sessions behave like sessions at Google. The emulator sets `auth_time` to the user's last sign-in anywhere, so
 * the next sign-in would renew a revoked session. It also renews sessions from before a password reset.
 */
export function correctSessions({ operations, EmulatorError }: EmulatorModules, project: ProjectState): void {
  const { token } = operations.securetoken;
  const createRefreshToken = project.createRefreshTokenFor.bind(project);
  project.createRefreshTokenFor = (user, provider, claims) => {
    const session: Session = { ...parseSession(createRefreshToken(user, provider, claims)), issuedAt: Date.now() };
    if (user.lastLoginAt !== undefined) session.authTime = user.lastLoginAt;
    return Buffer.from(JSON.stringify(session), 'utf8').toString('base64');
  };
  operations.securetoken.token = async (state, body, context) => {
    if (typeof body.refreshToken !== 'string') throw new EmulatorError('MISSING_REFRESH_TOKEN');
    const { localId, authTime, issuedAt = 0 } = parseSession(body.refreshToken);
    const user = state.getUserByLocalId(localId);
    if (user === undefined) throw new EmulatorError('USER_NOT_FOUND');
    const since = Math.max(Number(user.validSince ?? 0) * 1000, user.passwordUpdatedAt ?? 0);
    if (issuedAt < since) throw new EmulatorError('TOKEN_EXPIRED');
    const last = user.lastLoginAt;
    // The emulator reads the time synchronously, so no other request sees the change.
    state.updateUserByLocalId(localId, { lastLoginAt: authTime ?? last ?? String(issuedAt) });
    const renew = (): Json | Promise<Json> => {
      try {
        return token(state, body, context);
      } finally {
        state.updateUserByLocalId(localId, { lastLoginAt: last ?? String(issuedAt) });
      }
    };
    return { ...(await renew()), refresh_token: body.refreshToken };
  };
}

const parseSession = (refreshToken: string): Session =>
  JSON.parse(Buffer.from(refreshToken, 'base64').toString('utf8')) as Session;
