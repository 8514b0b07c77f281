import type { EmulatorModules, EmulatorUser, Json, ProjectState, SecondFactorClaim } from './emulator-api.ts';

/**
 * Issues the ID and refresh token of a new session, as `idToken` and `refreshToken`.
 *
 * @param provider how the person signed in: `password`, `google.com`
 */
export type Issue = (
  state: ProjectState,
  user: EmulatorUser,
  provider: string,
  secondFactor: SecondFactorClaim,
) => Promise<Json>;

/** Issues tokens by renewing those of a session that just began, which is the way that the emulator lets others use. */
export function issueBy({ operations }: EmulatorModules): Issue {
  const { token } = operations.securetoken;
  return async (state, user, provider, secondFactor) => {
    const refreshToken = state.createRefreshTokenFor(user, provider, { secondFactor });
    const answer = await token(state, { grantType: 'refresh_token', refreshToken }, {});
    return { idToken: answer.id_token, refreshToken };
  };
}

/** What a refresh token says besides what the emulator writes into it. */
interface Session {
  readonly localId: string;
  /** When its person signed in, as in `lastLoginAt`. */
  authTime?: string;
  /** When it was issued: milliseconds since the epoch. */
  readonly issuedAt?: number;
}

/**
 * Makes sessions what they are at Google. The emulator takes for `auth_time` when the person last signed in anywhere,
 * so that a session which was revoked would be renewed by the next sign-in; and it renews those from before a password
 * was set anew.
 */
export function keepSessions({ operations, EmulatorError }: EmulatorModules, project: ProjectState): void {
  const { token } = operations.securetoken;
  const createRefreshToken = project.createRefreshTokenFor.bind(project);
  project.createRefreshTokenFor = (user, provider, more) => {
    const session: Session = { ...read(createRefreshToken(user, provider, more)), issuedAt: Date.now() };
    if (user.lastLoginAt !== undefined) session.authTime = user.lastLoginAt;
    return Buffer.from(JSON.stringify(session), 'utf8').toString('base64');
  };
  operations.securetoken.token = async (state, body, context) => {
    if (typeof body.refreshToken !== 'string') throw new EmulatorError('MISSING_REFRESH_TOKEN');
    const { localId, authTime, issuedAt = 0 } = read(body.refreshToken);
    const user = state.getUserByLocalId(localId);
    if (user === undefined) throw new EmulatorError('USER_NOT_FOUND');
    const since = Math.max(Number(user.validSince ?? 0) * 1000, user.passwordUpdatedAt ?? 0);
    if (issuedAt < since) throw new EmulatorError('TOKEN_EXPIRED');
    const last = user.lastLoginAt;
    // The emulator reads it before it returns, so that nobody else sees it changed.
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

const read = (refreshToken: string): Session =>
  JSON.parse(Buffer.from(refreshToken, 'base64').toString('utf8')) as Session;
