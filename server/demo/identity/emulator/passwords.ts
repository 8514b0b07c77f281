import type { Caller } from './accounts.ts';
import { type AttemptLimit, attempts } from './attempts.ts';
import type { EmulatorModules, Json, OperationContext } from './emulator-api.ts';
import { missingRequirements, passwordPolicy } from './password-policy.ts';

const MINUTE = 60_000;
const perAddress: AttemptLimit = {
  free: 10,
  forgetAfter: 15 * MINUTE,
  firstPause: MINUTE / 2,
  longestPause: 15 * MINUTE,
};
/** Behind one address there may be an office, and somebody who tries one password on many accounts. */
const perClient: AttemptLimit = { ...perAddress, free: 100 };
/** Mails to one address, also to one that nobody has. */
const mailsPerAddress: AttemptLimit = { ...perAddress, free: 20 };

const TOO_MANY_WRONG =
  'TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to many failed login attempts.';

/**
 * Addresses are compared as the emulator compares them. Nothing longer is an address (RFC 5321), but may be a flood.
 */
const addressIn = ({ email }: { email?: unknown }): string => String(email).toLowerCase().slice(0, 320);

/** Who is at the other end, as the server's proxy says; the server itself does not pass the proxy. */
const clientOf = ({ req }: OperationContext): string | undefined => req?.headers['x-forwarded-for']?.toString();

/**
 * Adds to the emulator the password policy, the limits on wrong passwords and on mails, and takes away what is not
 * safe.
 */
export function guardPasswords({ operations, EmulatorError }: EmulatorModules, caller: Caller): void {
  const { accounts } = operations.identitytoolkit;
  const { signInWithPassword, signUp, update, resetPassword, sendOobCode } = accounts;
  const addresses = attempts(perAddress);
  const clients = attempts(perClient);
  const mails = attempts(mailsPerAddress);

  operations.identitytoolkit.getPasswordPolicy = () => passwordPolicy;

  const meetsPolicy = (password: unknown): void => {
    if (typeof password !== 'string' || password === '') return;
    const missing = missingRequirements(password);
    if (missing.length === 0) return;
    throw new EmulatorError(
      `PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [${missing.join(', ')}]`,
    );
  };

  accounts.signInWithPassword = async (state, body, context) => {
    const [address, client] = [addressIn(body), clientOf(context)];
    if (addresses.paused(address) || (client !== undefined && clients.paused(client))) {
      throw new EmulatorError(TOO_MANY_WRONG);
    }
    try {
      const answer = await signInWithPassword(state, body, context);
      addresses.forget(address);
      return answer;
    } catch (error) {
      if (error instanceof EmulatorError && error.message === 'INVALID_LOGIN_CREDENTIALS') {
        addresses.failed(address);
        if (client !== undefined) clients.failed(client);
      }
      throw error;
    }
  };

  accounts.signUp = (state, body, context) => {
    meetsPolicy(body.password);
    return signUp(state, body, context);
  };

  accounts.resetPassword = async (state, body, context) => {
    meetsPolicy(body.newPassword);
    const answer = await resetPassword(state, body, context);
    // Whoever reads the address need not wait until those who guess at it have given up.
    if (body.newPassword !== undefined) addresses.forget(addressIn(answer));
    return answer;
  };

  // What a person may not change of their own account at Google: factors without a code, claims, an address unverified.
  const changeable = 'idToken oobCode displayName photoUrl password deleteAttribute deleteProvider returnSecureToken';
  accounts.update = (state, body, context) => {
    if (body.email !== undefined) {
      throw new EmulatorError('OPERATION_NOT_ALLOWED : Please verify the new email before changing email.');
    }
    meetsPolicy(body.password);
    return update(state, picked(body, changeable.split(' ')), context);
  };

  const mailable = ['VERIFY_EMAIL', 'PASSWORD_RESET', 'VERIFY_AND_CHANGE_EMAIL'];
  accounts.sendOobCode = async (state, body, context) => {
    if (!mailable.includes(String(body.requestType))) throw new EmulatorError('OPERATION_NOT_ALLOWED');
    const address =
      body.requestType === 'PASSWORD_RESET' ? addressIn(body) : addressIn(await caller(state, body.idToken));
    if (mails.paused(address)) throw new EmulatorError('TOO_MANY_ATTEMPTS_TRY_LATER');
    mails.failed(address);
    return sendOobCode(state, picked(body, ['requestType', 'email', 'idToken', 'newEmail']), context);
  };
}

function picked(body: Json, fields: readonly string[]): Json {
  return Object.fromEntries(fields.flatMap((field) => (body[field] === undefined ? [] : [[field, body[field]]])));
}
