import { ConnectError } from '@connectrpc/connect';

import {
  type CreateUserRequest,
  type CreateUsersRequest,
  type User,
  UserValidation_SignInProvider,
} from '#proto/gen/hiber/user_pb.ts';
import type { App } from '#server/app/app.ts';
import { runToCompletion } from '#server/db/pool/work.ts';
import { appUser } from '#server/db/schema/user.ts';
import { EmailTakenError } from '#server/identity/accounts.ts';
import { MAX_PERSON_NAME_LENGTH } from '#server/identity/person-name.ts';
import { queueEmails } from '#server/mail/queue.ts';
import type { Scope } from '#server/session/scope.ts';
import { readEmailAddress, readEnteredText } from '#server/wire/entered-text.ts';
import { alreadyExists, failedPrecondition, invalidArgument, summarizeList } from '#server/wire/errors.ts';

import { requireNoMember, storeInvitation } from './invite.ts';
import { findPersonByAddress } from './model/addresses.ts';
import { translateProviderErrors } from './model/identity-errors.ts';
import { join } from './model/join.ts';
import { callerName, loadMailContext } from './model/mail-context.ts';
import { accountCreatedMail } from './model/mails.ts';
import { presentUser } from './model/present.ts';
import { readGrantedRoles } from './model/role-grants.ts';
import { requireAllowedAddress, loadRules } from './model/sign-in-rules.ts';

/** The limit is low because each user requires a call to the identity provider, and these calls run sequentially. */
const MAX_USERS = 100;
const PASSWORD_RESET_REASON = 'An administrator chose your password. Choose your own.';

/** A validated request for an account. */
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
 * Creates an account and makes its owner a member, or invites the owner of an existing account if the request allows
 * that. Ignores MANAGE_USERS_ADVANCED because the contract doesn't state its effect.
 *
 * @throws ConnectError ALREADY_EXISTS, FAILED_PRECONDITION (sign-in rules), INVALID_ARGUMENT, PERMISSION_DENIED
 *   (roles)
 */
export async function createUser(app: App, caller: Scope, request: CreateUserRequest): Promise<User> {
  const user = readUser(caller, request);
  await requireAllowed(app, caller, [user]);
  return await createAccount(app, caller, user);
}

/**
 * Creates several users. An account at the identity provider cannot be rolled back, so a batch is not atomic. Checks
 * everything before creating the first account; if the provider still rejects a user, the error lists the accounts
 * already created.
 *
 * The batch's flags and roles apply to every user, but a user's own roles replace the batch's roles (contract:
 * CreateUsers).
 */
export async function createUsers(app: App, caller: Scope, request: CreateUsersRequest): Promise<User[]> {
  if (request.users.length > MAX_USERS) {
    throw invalidArgument(
      `You can create at most ${MAX_USERS} users at a time. Split the ${request.users.length} users into several requests.`,
    );
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
  const duplicates = addresses.filter((email, index) => addresses.indexOf(email) !== index);
  if (duplicates.length > 0) {
    throw invalidArgument(
      `You listed ${summarizeList([...new Set(duplicates)])} more than once. List each address once.`,
    );
  }
  await requireAllowed(app, caller, users);
  const created: User[] = [];
  for (const user of users) {
    try {
      created.push(await createAccount(app, caller, user));
    } catch (error) {
      if (!(error instanceof ConnectError) || created.length === 0) throw error;
      const addressesCreated = summarizeList(created.map(({ email }) => email));
      throw new ConnectError(
        `${user.email}: ${error.rawMessage} Accounts were already created for ${addressesCreated}.`,
        error.code,
      );
    }
  }
  return created;
}

function readUser(caller: Scope, request: Omit<CreateUserRequest, '$typeName'>): NewUser {
  const email = readEmailAddress(request.email);
  const name = readEnteredText(request.name, `The name of ${email}`, MAX_PERSON_NAME_LENGTH);
  if (name === '') throw invalidArgument(`Enter a name for ${email}.`);
  const password = request.password === '' ? undefined : request.password;
  return {
    email,
    name,
    password,
    roles: readGrantedRoles(request.roles, caller, request.overrideAllowNoRoles),
    sendVerification: request.sendVerificationMail === true,
    sendReset: request.sendPasswordResetMail === true,
    inviteInstead: request.allowInviteInstead === true,
    passwordReset: request.passwordReset === true && password !== undefined,
  };
}

async function requireAllowed({ db: { orm } }: App, { organization }: Scope, users: readonly NewUser[]): Promise<void> {
  const rules = await loadRules(orm, organization);
  if (rules.providers.length > 0 && !rules.providers.includes(UserValidation_SignInProvider.PASSWORD)) {
    throw failedPrecondition(
      `"${organization}" doesn't let people sign in with a password. Invite them instead of creating an account.`,
    );
  }
  for (const { email, inviteInstead } of users) {
    requireAllowedAddress(rules, email);
    await requireNoMember(orm, organization, email);
    if (!inviteInstead && (await findPersonByAddress(orm, email)) !== undefined) throw accountExists(email);
  }
}

const accountExists = (email: string) => alreadyExists(`${email} already has an account. Invite them instead.`);

async function createAccount(app: App, caller: Scope, user: NewUser): Promise<User> {
  const { organization } = caller;
  const { email, name, roles } = user;
  const id = await createAtProvider(app, user);
  if (id === undefined) {
    await app.db.transaction((tx) => storeInvitation(app, tx, caller, email, roles));
    // This reveals nothing about the account's owner: the response repeats only the address.
    return presentUser({ id: '', email, name: '', organization, roles: [] });
  }
  const now = app.now();
  // Run to completion: an account that exists only at the provider couldn't be used or created again.
  await runToCompletion(() =>
    app.db.transaction(async (tx) => {
      await tx.insert(appUser).values({
        id,
        email,
        name,
        defaultOrganization: organization,
        passwordResetRecommended: user.passwordReset,
        passwordResetRecommendedReason: user.passwordReset ? PASSWORD_RESET_REASON : null,
        createdAt: now,
      });
      await join(tx, organization, { id, email, name }, roles, now);
      const context = await loadMailContext(app, tx, organization);
      await queueEmails(app, tx, [accountCreatedMail(email, callerName(caller), user.password !== undefined, context)]);
    }),
  );
  if (user.sendReset) await translateProviderErrors(app.accounts.sendPasswordReset(email));
  return presentUser({ id, email, name, organization, roles });
}

/**
 * Creates the account at the identity provider.
 *
 * @returns the account's id; undefined if the address already has an account, here or only at the provider, and the
 *   request allows an invitation instead
 */
async function createAtProvider({ db, accounts }: App, user: NewUser): Promise<string | undefined> {
  const { email, name, password, sendVerification, inviteInstead } = user;
  if (inviteInstead && (await findPersonByAddress(db.orm, email)) !== undefined) return undefined;
  try {
    return (await translateProviderErrors(accounts.create({ email, name, password, sendVerification }))).id;
  } catch (error) {
    if (!(error instanceof EmailTakenError)) throw error;
    if (!inviteInstead) throw accountExists(email);
    return undefined;
  }
}
