import type { FindAccount } from './accounts.ts';
import { type AttemptLimit, trackAttempts } from './attempts.ts';
import type { EmulatorModules, Json, OperationContext } from './emulator-api.ts';
import { missingRequirements, passwordPolicy } from './password-policy.ts';

const MINUTE = 60_000;
const ADDRESS_LIMIT: AttemptLimit = {
  freeAttempts: 10,
  forgetAfter: 15 * MINUTE,
  firstPause: MINUTE / 2,
  maxPause: 15 * MINUTE,
};
/** An IP address may belong to a whole office, or to someone who tries one password on many accounts. */
const CLIENT_LIMIT: AttemptLimit = { ...ADDRESS_LIMIT, freeAttempts: 100 };
/** Limits the number of emails to an address, even if the address has no account. */
const EMAIL_LIMIT: AttemptLimit = { ...ADDRESS_LIMIT, freeAttempts: 20 };

const TOO_MANY_FAILURES =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts.';

/**
 * Returns the address in lowercase because the emulator ignores case. Truncates it: longer addresses are invalid (RFC
 * 5321).
 */
const addressIn = ({ email }: { email?: unknown }): string => String(email).toLowerCase().slice(0, 320);

/**
 * Returns the client's IP address, which the server's proxy sets. Returns undefined for the server itself, which
 * doesn't use the proxy.
 */
const clientOf = ({ req }: OperationContext): string | undefined => req?.headers['x-forwarded-for']?.toString();

/**
 * Adds the password policy to the emulator, limits wrong passwords and emails, and removes unsafe operations.
 */
export function guardPasswords({ operations, EmulatorError }: EmulatorModules, findAccount: FindAccount): void {
  const { accounts } = operations.identitytoolkit;
  const { signInWithPassword, signUp, update, resetPassword, sendOobCode } = accounts;
  const addresses = trackAttempts(ADDRESS_LIMIT);
  const clients = trackAttempts(CLIENT_LIMIT);
  const emails = trackAttempts(EMAIL_LIMIT);

  operations.identitytoolkit.getPasswordPolicy = () => passwordPolicy;

  const requirePolicy = (password: unknown): void => {
    if (typeof password !== 'string' || password === '') return;
    const requirements = missingRequirements(password);
    if (requirements.length === 0) return;
    throw new EmulatorError(
      `PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [${requirements.join(', ')}]`,
    );
  };

  accounts.signInWithPassword = async (state, body, context) => {
    const [address, client] = [addressIn(body), clientOf(context)];
    if (addresses.isPaused(address) || (client !== undefined && clients.isPaused(client))) {
      throw new EmulatorError(TOO_MANY_FAILURES);
    }
    try {
      const response = await signInWithPassword(state, body, context);
      addresses.forget(address);
      return response;
    } catch (error) {
      if (error instanceof EmulatorError && error.message === 'INVALID_LOGIN_CREDENTIALS') {
        addresses.recordFailure(address);
        if (client !== undefined) clients.recordFailure(client);
      }
      throw error;
    }
  };

  accounts.signUp = (state, body, context) => {
    requirePolicy(body.password);
    return signUp(state, body, context);
  };

  accounts.resetPassword = async (state, body, context) => {
    requirePolicy(body.newPassword);
    const response = await resetPassword(state, body, context);
    // The reset code proves that the caller owns the address, so wrong passwords from others no longer block it.
    if (body.newPassword !== undefined) addresses.forget(addressIn(response));
    return response;
  };

  // The fields that Google lets users change on their own account. Users may not set claims or an unverified address,
  // or add second factors without a code.
  const changeableFields =
    'idToken oobCode displayName photoUrl password deleteAttribute deleteProvider returnSecureToken';
  accounts.update = (state, body, context) => {
    if (body.email !== undefined) {
      throw new EmulatorError('OPERATION_NOT_ALLOWED : Please verify the new email before changing email.');
    }
    requirePolicy(body.password);
    return update(state, pickFields(body, changeableFields.split(' ')), context);
  };

  const emailRequestTypes = ['VERIFY_EMAIL', 'PASSWORD_RESET', 'VERIFY_AND_CHANGE_EMAIL'];
  accounts.sendOobCode = async (state, body, context) => {
    if (!emailRequestTypes.includes(String(body.requestType))) throw new EmulatorError('OPERATION_NOT_ALLOWED');
    const address =
      body.requestType === 'PASSWORD_RESET' ? addressIn(body) : addressIn(await findAccount(state, body.idToken));
    if (emails.isPaused(address)) throw new EmulatorError('TOO_MANY_ATTEMPTS_TRY_LATER');
    emails.recordFailure(address);
    return sendOobCode(state, pickFields(body, ['requestType', 'email', 'idToken', 'newEmail']), context);
  };
}

function pickFields(body: Json, fields: readonly string[]): Json {
  return Object.fromEntries(fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));
}
