import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, isNull, sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { appUser } from '#server/db/schema/user.ts';
import { InvalidIdentityError, type VerifiedIdentity } from '#server/identity/verifier.ts';
import { userPermissionNames } from '#server/policies/permissions.ts';
import { supportPermissionsOfRoles } from '#server/policies/roles.ts';

import { isApiToken } from './api-token.ts';
import { findDenialReason, unauthenticated, suspensionMessage } from './denial.ts';
import { findPerson, type Person } from './person.ts';
import type { Session } from './session.ts';
import { findBrokenRule } from './sign-in-rules.ts';
import { type Caller, readCaller, recordSignIn, signInId } from './sign-ins.ts';
import { createTokenSession, unknownToken } from './token-session.ts';

type Dependencies = Pick<App, 'db' | 'identity' | 'now' | 'log'>;
type User = Session['user'];

/**
 * Authenticates the caller.
 *
 * @param headers the headers of the request: `authorization` contains `bearer` and an ID token or one of our API
 *   tokens; `x-client-name`, `x-client-version`, and `user-agent` identify the client
 * @throws ConnectError UNAUTHENTICATED, explaining what is wrong with the header or the token, or why a known user is
 *   denied
 */
export async function authenticate(app: Dependencies, headers: Headers): Promise<Session> {
  const bearer = readBearer(headers);
  if (bearer === undefined) throw missingCredentials();
  // Only a JWT can be an ID token; anything else gets an error about API tokens, which helps someone who mistyped one.
  if (!isApiToken(bearer) && bearer.split('.').length !== 3) throw unknownToken();
  const caller = readCaller(headers);
  return isApiToken(bearer)
    ? await createTokenSession(app, bearer, caller)
    : await createPersonSession(app, bearer, caller);
}

/** Creates the error for a call without credentials. */
export const missingCredentials = (): ConnectError =>
  unauthenticated('Sign in first. This call requires an authorization header with a bearer token.');

/** Returns the bearer token in the `authorization` header; undefined if it is missing or malformed. */
export const readBearer = (headers: Headers): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1];

async function createPersonSession(app: Dependencies, idToken: string, caller: Caller): Promise<Session> {
  const identity = await verifyIdToken(app, idToken);
  const id = signInId(identity);
  const person = (await findPerson(app.db, identity.subject, id)) ?? (await registerPerson(app, identity, id));
  const denialReason = await findDenialReason(app.db.orm, person, identity);
  if (denialReason !== undefined) throw unauthenticated(denialReason);
  const user = await updateUser(app, person.user, identity);
  await recordSignIn(app, user.id, id, identity, caller, person.signIn);
  const memberships = person.memberships.map(({ organization, path, roles, suspended, rules }) => ({
    organization,
    path,
    roles,
    blockedReason: suspended ? suspensionMessage(organization) : rules && findBrokenRule(rules, identity),
  }));
  return {
    user,
    token: undefined,
    signIn: { id, provider: identity.provider, emailVerified: identity.emailVerified, expiresAt: identity.expiresAt },
    client: caller.client,
    memberships,
    overrides: person.overrides,
    userPermissions: new Set(userPermissionNames),
    supportPermissions: supportPermissionsOfRoles(
      memberships.flatMap(({ blockedReason, roles }) => (blockedReason === undefined ? roles : [])),
    ),
  };
}

async function verifyIdToken(app: Dependencies, idToken: string): Promise<VerifiedIdentity> {
  try {
    return await app.identity.verify(idToken);
  } catch (error) {
    if (error instanceof InvalidIdentityError) throw unauthenticated(error.message);
    app.log.error("The identity provider couldn't be reached.", {
      error: error instanceof Error ? error.message : String(error),
    });
    throw new ConnectError("The identity provider can't be reached to verify your sign-in.", Code.Unavailable);
  }
}

/** Registers a new user whom the provider has authenticated, without a membership. */
async function registerPerson(app: Dependencies, identity: VerifiedIdentity, signIn: string): Promise<Person> {
  const { subject, email, name, emailVerified } = identity;
  await app.db.orm.insert(appUser).values({ id: subject, email, name, emailVerified }).onConflictDoNothing();
  const person = await findPerson(app.db, subject, signIn);
  // Accounts are never matched by address, because the person who controls an address at the provider may not be our
  // user with that address.
  if (person === undefined)
    throw unauthenticated('Another account uses this email address. Sign in with that account.');
  return person;
}

/**
 * Adopts a name or address that the user changed at the provider. If another user here has the new address, the user
 * keeps the old address, unverified because this sign-in no longer proves it.
 */
async function updateUser(app: Dependencies, user: User, identity: VerifiedIdentity): Promise<User> {
  const { email, emailVerified } = identity;
  const name = identity.name || user.name;
  if (email === user.email && name === user.name && emailVerified === user.emailVerified) return user;
  const isAddressFree = sql`not exists (select from app_user other where lower(other.email) = lower(${email})
    and other.deleted_at is null and other.id <> ${user.id})`;
  const [updatedRow] = await app.db.orm
    .update(appUser)
    .set({ email, name, emailVerified })
    .where(and(eq(appUser.id, user.id), isNull(appUser.deletedAt), isAddressFree))
    .returning();
  return updatedRow ?? { ...user, emailVerified: false };
}
