import type { EmulatorModules, EmulatorUser, Enrollment, Json, ProjectState } from './emulator-api.ts';

/**
 * Finds the account that an ID token belongs to.
 *
 * @throws EmulatorError if the token is invalid
 */
export type FindAccount = (state: ProjectState, idToken: unknown) => Promise<EmulatorUser>;

/** Uses the emulator's own ID token check. Call this before `hideSecrets`, which replaces `lookup`. */
export function createAccountFinder({ operations }: EmulatorModules): FindAccount {
  const { lookup } = operations.identitytoolkit.accounts;
  return async (state, idToken) => {
    const { users } = (await lookup(state, { idToken }, {})) as { users: [EmulatorUser] };
    return users[0];
  };
}

/** Presents a second factor without its secret. */
export function presentFactor({ totpSecret: _secret, totpStep: _step, ...factor }: Enrollment): Json {
  return factor;
}

/**
 * Removes passwords, which are stored in plaintext, and the second factors' secrets from the emulator's responses.
 */
export function hideSecrets({ operations }: EmulatorModules, findAccount: FindAccount): void {
  const { accounts } = operations.identitytoolkit;
  const { update } = accounts;
  accounts.lookup = async (state, body) => {
    const { passwordHash: _hash, salt: _salt, mfaInfo, ...user } = await findAccount(state, body.idToken);
    const factors = mfaInfo === undefined ? {} : { mfaInfo: mfaInfo.map(presentFactor) };
    return { kind: 'identitytoolkit#GetAccountInfoResponse', users: [{ ...user, ...factors }] };
  };
  accounts.update = async (state, body, context) => {
    const { passwordHash: _hash, ...response } = await update(state, body, context);
    return response;
  };
}
