import { Code, ConnectError } from '@connectrpc/connect';
import { and, asc, eq, sql } from 'drizzle-orm';
import { Token_Type } from '#proto/hiber/token_pb';
import type { App } from '../app.ts';
import { token as tokens } from '../db/schema/token.ts';
import { appUser, membership } from '../db/schema/user.ts';
import { InvalidIdentity, type VerifiedIdentity } from '../identity/verifier.ts';
import { userPermissionNames, userPermissionsOf, withIncluded } from '../policies/permissions.ts';
import { supportPermissionsOfRoles } from '../policies/roles.ts';
import { hashOfApiToken, isApiToken } from './api-token.ts';
import type { Membership, Session } from './session.ts';

type Caller = Pick<App, 'db' | 'identity' | 'now' | 'log'>;
type User = Session['user'];

const refused = (sentence: string): ConnectError => new ConnectError(sentence, Code.Unauthenticated);

/**
 * Finds out who is calling.
 *
 * @param authorization the request's `authorization` header: `bearer` and an ID token or one of our API tokens
 * @throws ConnectError UNAUTHENTICATED, saying what is wrong with the header or the token
 */
export async function authenticate(app: Caller, authorization: string | null): Promise<Session> {
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  if (bearer === undefined) throw refused('Sign in first: the call needs an authorization header with a bearer token.');
  return isApiToken(bearer) ? await sessionOfToken(app, bearer) : await sessionOfPerson(app, bearer);
}

async function sessionOfPerson(app: Caller, idToken: string): Promise<Session> {
  const identity = await verified(app, idToken);
  const known = await userWithMemberships(app, identity.subject);
  const { user, memberships } = known ?? { user: await firstSignIn(app, identity), memberships: [] };
  return {
    user: await upToDate(app, user, identity),
    token: undefined,
    memberships,
    userPermissions: new Set(userPermissionNames),
    supportPermissions: supportPermissionsOfRoles(memberships.flatMap((each) => each.roles)),
  };
}

async function verified(app: Caller, idToken: string): Promise<VerifiedIdentity> {
  try {
    return await app.identity.verify(idToken);
  } catch (error) {
    if (error instanceof InvalidIdentity) throw refused(error.message);
    app.log.error('identity provider unreachable', { error: error instanceof Error ? error.message : String(error) });
    throw new ConnectError('The identity provider cannot be reached to check who you are.', Code.Unavailable);
  }
}

async function userWithMemberships(
  app: Caller,
  id: string,
): Promise<{ user: User; memberships: Membership[] } | undefined> {
  const rows = await app.db.orm
    .select({ user: appUser, organization: membership.organization, roles: membership.roles })
    .from(appUser)
    .leftJoin(membership, eq(membership.userId, appUser.id))
    .where(eq(appUser.id, id))
    .orderBy(asc(membership.organization));
  const user = rows[0]?.user;
  return user && { user, memberships: membershipsIn(rows) };
}

const membershipsIn = (rows: readonly { organization: string | null; roles: string[] | null }[]): Membership[] =>
  rows.flatMap(({ organization, roles }) => (organization === null ? [] : [{ organization, roles: roles ?? [] }]));

/** A person whom the provider vouches for and we have not met: known from now on, and a member of nothing. */
async function firstSignIn(app: Caller, { subject, email, name }: VerifiedIdentity): Promise<User> {
  await app.db.orm.insert(appUser).values({ id: subject, email, name }).onConflictDoNothing();
  const known = await userWithMemberships(app, subject);
  // Never taken over by address: whoever controls an address at the provider is not thereby the person we know by it.
  if (known === undefined) throw refused('Another account is known by this email address: sign in with that one.');
  return known.user;
}

/** The provider is where people change their name and address; ours follows, unless the address is somebody else's here. */
async function upToDate(app: Caller, user: User, { email, name }: VerifiedIdentity): Promise<User> {
  if (email === user.email && (name === '' || name === user.name)) return user;
  const free = sql`not exists (select from app_user other
    where lower(other.email) = lower(${email}) and other.id <> ${user.id})`;
  const [updated] = await app.db.orm
    .update(appUser)
    .set({ email, name: name || user.name })
    .where(and(eq(appUser.id, user.id), free))
    .returning();
  return updated ?? user;
}

async function sessionOfToken(app: Caller, secret: string): Promise<Session> {
  const rows = await app.db.orm
    .select({ token: tokens, user: appUser, organization: membership.organization, roles: membership.roles })
    .from(tokens)
    .innerJoin(appUser, eq(appUser.id, tokens.userId))
    .leftJoin(membership, eq(membership.userId, appUser.id))
    .where(eq(tokens.hash, hashOfApiToken(secret)))
    .orderBy(asc(membership.organization));
  const found = rows[0];
  if (found === undefined) throw refused('The token is not known here: it was revoked, or is for another server.');
  const { token, user } = found;
  const now = app.now();
  if (token.expiresAt !== null && token.expiresAt <= now) throw refused(`The token "${token.name}" has expired.`);
  await recordUse(app, token, now);
  const memberships = membershipsIn(rows);
  const personal = token.type === Token_Type.PERSONAL;
  return {
    user,
    token,
    memberships,
    // PERSONAL follows its creator; SPECIFIC holds what it lists (contract: TokenService). Support permissions cannot be
    // listed, so that only a PERSONAL token of support staff has them.
    userPermissions: personal ? new Set(userPermissionNames) : withIncluded(userPermissionsOf(token.userPermissions)),
    supportPermissions: supportPermissionsOfRoles(personal ? memberships.flatMap((each) => each.roles) : []),
  };
}

/** `last_used` is a date, so one write a day tells it. */
async function recordUse(app: Caller, token: NonNullable<Session['token']>, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  if (token.lastUsed === today) return;
  await app.db.orm
    .update(tokens)
    .set({ lastUsed: today })
    .where(and(eq(tokens.organization, token.organization), eq(tokens.id, token.id)));
}
