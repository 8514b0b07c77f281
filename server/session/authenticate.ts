import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { appUser } from '#server/db/schema/user.ts';
import { InvalidIdentity, type VerifiedIdentity } from '#server/identity/verifier.ts';
import { userPermissionNames } from '#server/policies/permissions.ts';
import { supportPermissionsOfRoles } from '#server/policies/roles.ts';
import { isApiToken } from './api-token.ts';
import { findPerson, type Person } from './person.ts';
import { refusalOf, refused, suspendedIn } from './refusal.ts';
import type { Session } from './session.ts';
import { brokenRule } from './sign-in-rules.ts';
import { type Caller, callerOf, recordSignIn, signInId } from './sign-ins.ts';
import { sessionOfToken, unknownToken } from './token-session.ts';

type Needed = Pick<App, 'db' | 'identity' | 'now' | 'log'>;
type User = Session['user'];

/**
 * Finds out who is calling.
 *
 * @param headers the request's: `authorization` holds `bearer` and an ID token or one of our API tokens;
 *   `x-client-name`,
 *   `x-client-version` and `user-agent` tell which program calls
 * @throws ConnectError UNAUTHENTICATED, saying what is wrong with the header or the token, or why a person who is known
 *   is not let in
 */
export async function authenticate(app: Needed, headers: Headers): Promise<Session> {
  const bearer = bearerOf(headers);
  if (bearer === undefined) throw signInFirst();
  // What is no JWT can be no ID token, so that whoever mistypes an API token is not told of one.
  if (!isApiToken(bearer) && bearer.split('.').length !== 3) throw unknownToken();
  const caller = callerOf(headers);
  return isApiToken(bearer) ? await sessionOfToken(app, bearer, caller) : await sessionOfPerson(app, bearer, caller);
}

/** The refusal of a call that bears nothing. */
export const signInFirst = (): ConnectError =>
  refused('Sign in first: the call needs an authorization header with a bearer token.');

/** @returns what the `authorization` header bears; undefined when it is missing or says something else */
export const bearerOf = (headers: Headers): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.get('authorization')?.trim() ?? '')?.[1];

async function sessionOfPerson(app: Needed, idToken: string, caller: Caller): Promise<Session> {
  const identity = await verified(app, idToken);
  const id = signInId(identity);
  const known = (await findPerson(app.db.orm, identity.subject, id)) ?? (await firstSignIn(app, identity, id));
  const refusal = await refusalOf(app.db.orm, known, identity);
  if (refusal !== undefined) throw refused(refusal);
  const user = await upToDate(app, known.user, identity);
  await recordSignIn(app, user.id, id, identity, caller, known.signIn);
  const memberships = known.memberships.map(({ organization, roles, suspended, rules }) => ({
    organization,
    roles,
    barred: suspended ? suspendedIn(organization) : rules && brokenRule(rules, identity),
  }));
  return {
    user,
    token: undefined,
    signIn: { id, provider: identity.provider, emailVerified: identity.emailVerified, expiresAt: identity.expiresAt },
    client: caller.client,
    memberships,
    overrides: known.overrides,
    userPermissions: new Set(userPermissionNames),
    supportPermissions: supportPermissionsOfRoles(
      memberships.flatMap(({ barred, roles }) => (barred === undefined ? roles : [])),
    ),
  };
}

async function verified(app: Needed, idToken: string): Promise<VerifiedIdentity> {
  try {
    return await app.identity.verify(idToken);
  } catch (error) {
    if (error instanceof InvalidIdentity) throw refused(error.message);
    app.log.error('identity provider unreachable', { error: error instanceof Error ? error.message : String(error) });
    throw new ConnectError('The identity provider cannot be reached to check who you are.', Code.Unavailable);
  }
}

/** A person whom the provider vouches for and we have not met: known from now on, and a member of nothing. */
async function firstSignIn(app: Needed, identity: VerifiedIdentity, signIn: string): Promise<Person> {
  const { subject, email, name, emailVerified } = identity;
  await app.db.orm.insert(appUser).values({ id: subject, email, name, emailVerified }).onConflictDoNothing();
  const known = await findPerson(app.db.orm, subject, signIn);
  // Never taken over by address: whoever controls an address at the provider is not thereby the person we know by it.
  if (known === undefined) throw refused('Another account is known by this email address: sign in with that one.');
  return known;
}

/**
 * The provider is where people change their name and address; ours follows, unless the address is somebody else's here.
 * Then they stay known by the old one, which this sign-in does not prove to be theirs any more.
 */
async function upToDate(app: Needed, user: User, identity: VerifiedIdentity): Promise<User> {
  const { email, emailVerified } = identity;
  const name = identity.name || user.name;
  if (email === user.email && name === user.name && emailVerified === user.emailVerified) return user;
  const free = sql`not exists (select from app_user other where lower(other.email) = lower(${email})
    and other.deleted_at is null and other.id <> ${user.id})`;
  const [updated] = await app.db.orm
    .update(appUser)
    .set({ email, name, emailVerified })
    .where(and(eq(appUser.id, user.id), isNull(appUser.deletedAt), free))
    .returning();
  return updated ?? { ...user, emailVerified: false };
}
