import {
  AccountsError,
  EmailTakenError,
  type IdentityAccounts,
  SignInTooOldError,
  randomPassword,
  WeakPasswordError,
} from './accounts.ts';

/** Google's Identity Toolkit. The embedded provider accepts the same calls at another URL. */
export const GOOGLE_IDENTITY_TOOLKIT = 'https://identitytoolkit.googleapis.com';

/** Users don't wait longer than this after submitting a form. */
const TIMEOUT_MS = 10_000;

/** The fields we use from the toolkit's responses. */
interface ToolkitResponse {
  readonly localId?: string;
  readonly idToken?: string;
  readonly error?: { message?: string };
}

/**
 * Manages accounts over the Identity Toolkit's REST API, as the browser's SDK does. An API key is enough, so the server
 * has no credentials that could do more.
 *
 * @param base URL of the toolkit, without a trailing slash
 */
export function restAccounts(base: string, apiKey: string): IdentityAccounts {
  const call = (method: string, body: object): Promise<ToolkitResponse> =>
    post(`${base}/v1/accounts:${method}`, apiKey, body);
  return {
    async create({ email, name, password = randomPassword(), sendVerification }) {
      const { localId, idToken } = await call('signUp', { email, password, returnSecureToken: true });
      if (localId === undefined || idToken === undefined)
        throw new AccountsError('The identity provider returned no id.');
      if (name !== '') await call('update', { idToken, displayName: name });
      if (sendVerification) await call('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
      return { id: localId };
    },
    async sendPasswordReset(email) {
      await call('sendOobCode', { requestType: 'PASSWORD_RESET', email });
    },
    async remove({ idToken }) {
      try {
        await call('delete', { idToken });
      } catch (error) {
        // An earlier call deleted the account, and then failed to delete our data.
        if (!(error instanceof AccountsError && error.code === 'USER_NOT_FOUND')) throw error;
      }
    },
  };
}

async function post(url: string, apiKey: string, body: object): Promise<ToolkitResponse> {
  let result: ToolkitResponse;
  try {
    const response = await fetch(`${url}?key=${encodeURIComponent(apiKey)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    result = (await response.json()) as ToolkitResponse;
  } catch (cause) {
    throw new AccountsError("The identity provider can't be reached.", undefined, { cause });
  }
  if (result.error === undefined) return result;
  throw errorFor(result.error.message ?? '');
}

/**
 * Creates the error for a rejected request.
 *
 * @param message the toolkit's message, which is a code, sometimes followed by ` : ` and text
 */
function errorFor(message: string): Error {
  const [code = '', ...rest] = message.split(' : ');
  const text = rest.join(' : ');
  if (code === 'EMAIL_EXISTS')
    return new EmailTakenError('This email address already has an account. Sign in with it.');
  if (code === 'WEAK_PASSWORD' || code === 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS') {
    return new WeakPasswordError(text === '' ? 'The password is too weak.' : `The password is too weak. ${text}`);
  }
  if (code === 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN' || code === 'TOKEN_EXPIRED') {
    return new SignInTooOldError('You signed in too long ago to do this. Sign in again.');
  }
  return new AccountsError(`The identity provider rejected the request (${code}).`, code);
}
