import { ConnectError } from '@connectrpc/connect';
import {
  type CreateUserRequest,
  type CreateUsersRequest,
  type User,
  UserValidation_SignInProvider,
} from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { appUser } from '#server/db/schema/user.ts';
import { seenThrough } from '#server/db/pool/work.ts';
import { EmailTaken } from '#server/identity/accounts.ts';
import { queueMail } from '#server/mail/queue.ts';
import { longestPersonName } from '#server/identity/person-name.ts';
import type { Scope } from '#server/session/scope.ts';
import { emailAddress, storedText } from '#server/wire/entered-text.ts';
import { alreadyExists, failedPrecondition, invalidArgument, some } from '#server/wire/errors.ts';
import { personWithAddress } from './model/addresses.ts';
import { atProvider } from './model/identity-errors.ts';
import { grantedRoles } from './model/role-grants.ts';
import { requireNoMember, storeInvitation } from './invite.ts';
import { join } from './model/join.ts';
import { accountCreatedMail } from './model/mails.ts';
import { callerName, placeOf } from './model/mail-context.ts';
import { presentUser } from './model/present.ts';
import { requireAddressWithin, rulesOf } from './model/sign-in-rules.ts';

/** Each makes an account at the identity provider, one after the other. */
const MAX_USERS = 100;
const CHOSEN_BY_ADMINISTRATOR = 'An administrator chose your password: choose one of your own.';

/** One account to make, checked. */
interface NewUser {
  readonly email: string;
  readonly name: string;
  readonly password: string | undefined;
  readonly roles: string[];
  readonly sendVerification: boolean;
  readonly sendReset: boolean;
  readonly inviteInstead: boolean;
  readonly passwordReset: boolean;
}

/**
 * What MANAGE_USERS_ADVANCED adds is not stated; nothing here depends on it.
 *
 * @throws ConnectError ALREADY_EXISTS, FAILED_PRECONDITION (rules of the organization), INVALID_ARGUMENT,
 *   PERMISSION_DENIED (roles)
 */
export async function createUser(app: App, caller: Scope, request: CreateUserRequest): Promise<User> {
  const user = readUser(caller, request);
  await requireAllowed(app, caller, [user]);
  return await make(app, caller, user);
}

/**
 * An account at the identity provider cannot be taken back, so a batch is not all or none: everything is checked before
 * the first is made, and when the provider refuses one after all, the error says which were made.
 *
 * Flags and roles of the batch count for every user; a user's own roles replace them (contract: CreateUsers).
 */
export async function createUsers(app: App, caller: Scope, request: CreateUsersRequest): Promise<User[]> {
  if (request.users.length > MAX_USERS) {
    throw invalidArgument(`A request may create ${MAX_USERS} users; send these ${request.users.length} in parts.`);
  }
  const users = request.users.map((user) =>
    readUser(caller, {
      ...user,
      sendVerificationMail: request.sendVerificationMail === true || user.sendVerificationMail === true,
      sendPasswordResetMail: request.sendPasswordResetMail === true || user.sendPasswordResetMail === true,
      ...(user.roles === undefined && request.roles !== undefined && { roles: request.roles }),
    }),
  );
  const addresses = users.map(({ email }) => email.toLowerCase());
  const twice = addresses.filter((email, index) => addresses.indexOf(email) !== index);
  if (twice.length > 0) throw invalidArgument(`${some([...new Set(twice)])} is in the request more than once.`);
  await requireAllowed(app, caller, users);
  const made: User[] = [];
  for (const user of users) {
    try {
      made.push(await make(app, caller, user));
    } catch (error) {
      if (!(error instanceof ConnectError) || made.length === 0) throw error;
      const before = `Made before it failed: ${some(made.map(({ email }) => email))}.`;
      throw new ConnectError(`${user.email}: ${error.rawMessage} ${before}`, error.code);
    }
  }
  return made;
}

function readUser(caller: Scope, request: Omit<CreateUserRequest, '$typeName'>): NewUser {
  const email = emailAddress(request.email);
  const name = storedText(request.name, `The name of ${email}`, longestPersonName);
  if (name === '') throw invalidArgument(`${email} needs a name.`);
  const password = request.password === '' ? undefined : request.password;
  return {
    email,
    name,
    password,
    roles: grantedRoles(request.roles, caller, request.overrideAllowNoRoles),
    sendVerification: request.sendVerificationMail === true,
    sendReset: request.sendPasswordResetMail === true,
    inviteInstead: request.allowInviteInstead === true,
    passwordReset: request.passwordReset === true && password !== undefined,
  };
}

async function requireAllowed({ db: { orm } }: App, { organization }: Scope, users: readonly NewUser[]): Promise<void> {
  const rules = await rulesOf(orm, organization);
  if (rules.providers.length > 0 && !rules.providers.includes(UserValidation_SignInProvider.PASSWORD)) {
    throw failedPrecondition(
      `"${organization}" does not let people sign in with a password, so no account with one can be made: invite them.`,
    );
  }
  for (const { email, inviteInstead } of users) {
    requireAddressWithin(rules, email);
    await requireNoMember(orm, organization, email);
    if (!inviteInstead && (await personWithAddress(orm, email)) !== undefined) throw hasAccount(email);
  }
}

const hasAccount = (email: string) => alreadyExists(`${email} has an account already: invite them instead.`);

async function make(app: App, caller: Scope, user: NewUser): Promise<User> {
  const { organization } = caller;
  const { email, name, roles } = user;
  const id = await accountFor(app, user);
  if (id === undefined) {
    await app.db.transaction((tx) => storeInvitation(app, tx, caller, email, roles));
    // Who has the account is theirs to tell: the answer holds what was asked for, and no id.
    return presentUser({ id: '', email, name: '', organization, roles: [] });
  }
  const now = app.now();
  // Seen through: without its other half here, nobody could use the account, and nobody could make it again.
  await seenThrough(() =>
    app.db.transaction(async (tx) => {
      await tx.insert(appUser).values({
        id,
        email,
        name,
        defaultOrganization: organization,
        passwordResetRecommended: user.passwordReset,
        passwordResetRecommendedReason: user.passwordReset ? CHOSEN_BY_ADMINISTRATOR : null,
        createdAt: now,
      });
      await join(tx, organization, { id, email, name }, roles, now);
      const place = await placeOf(app, tx, organization);
      await queueMail(app, tx, [accountCreatedMail(email, callerName(caller), user.password !== undefined, place)]);
    }),
  );
  if (user.sendReset) await atProvider(app.accounts.sendPasswordReset(email));
  return presentUser({ id, email, name, organization, roles });
}

/** @returns undefined when the address has an account, here or only at the provider, and is to be invited */
async function accountFor({ db, accounts }: App, user: NewUser): Promise<string | undefined> {
  const { email, name, password, sendVerification, inviteInstead } = user;
  if (inviteInstead && (await personWithAddress(db.orm, email)) !== undefined) return undefined;
  try {
    return (await atProvider(accounts.create({ email, name, password, sendVerification }))).id;
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error;
    if (!inviteInstead) throw hasAccount(email);
    return undefined;
  }
}
