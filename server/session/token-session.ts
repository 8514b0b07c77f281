import type { ConnectError } from '@connectrpc/connect';
import { and, asc, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import type { App } from '#server/app/app.ts';
import type { Orm } from '#server/db/database.ts';
import { groupedRead } from '#server/db/pool/grouped-read.ts';
import { organization } from '#server/db/schema/organization.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { userPermissionNames, userPermissionsOf, withIncluded } from '#server/policies/permissions.ts';
import { supportPermissionsOfRoles } from '#server/policies/roles.ts';

import { hashApiToken } from './api-token.ts';
import { unauthenticated } from './denial.ts';
import { overridesColumn, overridesIn } from './person.ts';
import type { Session } from './session.ts';
import type { Caller } from './sign-ins.ts';

const tokenQuery = (orm: Orm) =>
  orm
    .select({
      token: tokens,
      user: appUser,
      overrides: overridesColumn,
      organization: membership.organization,
      path: organization.path,
      roles: membership.roles,
    })
    .from(tokens)
    .innerJoin(appUser, eq(appUser.id, tokens.userId))
    .leftJoin(membership, eq(membership.userId, appUser.id))
    .leftJoin(organization, eq(organization.id, membership.organization))
    .where(sql`${tokens.hash} = any(${sql.placeholder('hashes')}::bytea[])`)
    .orderBy(asc(membership.organization))
    .prepare('token_of_call');

type TokenRow = Awaited<ReturnType<ReturnType<typeof tokenQuery>['execute']>>[number];

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Reads a token's rows by its hash, one for each membership of its owner. */
const readToken = groupedRead<Uint8Array, readonly TokenRow[]>((orm) => {
  const query = tokenQuery(orm);
  return async (hashes) => {
    const rows = await query.execute({ hashes: hashes.map((hash) => Buffer.from(hash)) });
    const byHash = groupBy(rows, ({ token }) => hex(token.hash));
    return hashes.map((hash) => byHash.get(hex(hash)) ?? []);
  };
});

/**
 * Creates the session of an API token. A token stays valid while its owner is suspended or their sign-ins violate the
 * organization's sign-in rules (contract: Suspend), and ends with the owner's account.
 *
 * @throws ConnectError UNAUTHENTICATED for an unknown or expired token
 */
export async function createTokenSession(
  app: Pick<App, 'db' | 'now'>,
  secret: string,
  { client }: Caller,
): Promise<Session> {
  const rows = await readToken(app.db, hashApiToken(secret));
  const row = rows[0];
  if (row === undefined) throw unknownToken();
  const { token, user } = row;
  const now = app.now();
  if (token.expiresAt !== null && token.expiresAt <= now)
    throw unauthenticated(`The API token "${token.name}" has expired.`);
  if (user.deletedAt !== null)
    throw unauthenticated(`The account that the API token "${token.name}" belongs to was deleted.`);
  await recordUse(app, token, now);
  const memberships = rows.flatMap(({ organization: id, path, roles }) =>
    id === null ? [] : [{ organization: id, path: path ?? [], roles: roles ?? [], blockedReason: undefined }],
  );
  const isPersonal = token.type === Token_Type.PERSONAL;
  return {
    user,
    token,
    signIn: undefined,
    client,
    memberships,
    // A PERSONAL token has its creator's permissions, including role overrides. A SPECIFIC token has the permissions
    // that it lists (contract: TokenService). It can't list support permissions, so only PERSONAL tokens of support
    // staff have them.
    overrides: isPersonal ? overridesIn(row.overrides) : new Map(),
    userPermissions: isPersonal ? new Set(userPermissionNames) : withIncluded(userPermissionsOf(token.userPermissions)),
    supportPermissions: supportPermissionsOfRoles(
      isPersonal ? memberships.flatMap((membership) => membership.roles) : [],
    ),
  };
}

/** Creates the error for an unknown or revoked token. */
export const unknownToken = (): ConnectError =>
  unauthenticated('Unknown API token. It was revoked or mistyped, or it is for another server.');

/** Records that a token was used. `last_used` is a date, so one write a day is enough. */
async function recordUse(app: Pick<App, 'db'>, token: NonNullable<Session['token']>, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  if (token.lastUsed === today) return;
  await app.db.orm
    .update(tokens)
    .set({ lastUsed: today })
    .where(and(eq(tokens.organization, token.organization), eq(tokens.id, token.id)));
}
