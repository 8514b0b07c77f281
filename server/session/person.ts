import { and, asc, eq, sql } from 'drizzle-orm';

import type { Orm } from '#server/db/database.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { appUser, membership } from '#server/db/schema/user.ts';

import type { Session } from './session.ts';
import type { SignInRules } from './sign-in-rules.ts';

/** The data that every call of a person depends on. */
export interface Person {
  readonly user: Session['user'];
  /** The sign-in behind the call; undefined on its first call. */
  readonly signIn: typeof signIn.$inferSelect | undefined;
  readonly memberships: { organization: string; roles: string[]; suspended: boolean; rules: SignInRules | undefined }[];
  readonly overrides: ReadonlyMap<string, readonly string[]>;
}

/** The overrides of the user in the row, as an object by organization; null without any. */
export const overridesColumn = sql<Record<string, string[]> | null>`(
  select jsonb_object_agg(role_override.organization, role_override.roles)
    from role_override where role_override.user_id = ${appUser.id})`;

export const overridesIn = (column: Record<string, string[]> | null | undefined): Session['overrides'] =>
  new Map(Object.entries(column ?? {}));

/** A single query, because it precedes every call; prepared, because planning takes longer than running it. */
const personQuery = (orm: Orm) =>
  orm
    .select({
      user: appUser,
      overrides: overridesColumn,
      signIn,
      organization: membership.organization,
      roles: membership.roles,
      suspendedAt: membership.suspendedAt,
      rules: userValidation,
    })
    .from(appUser)
    .leftJoin(signIn, and(eq(signIn.userId, appUser.id), eq(signIn.id, sql.placeholder('signIn'))))
    .leftJoin(membership, eq(membership.userId, appUser.id))
    .leftJoin(userValidation, eq(userValidation.organization, membership.organization))
    .where(eq(appUser.id, sql.placeholder('id')))
    .orderBy(asc(membership.organization))
    .prepare('person_of_call');

const prepared = new WeakMap<Orm, ReturnType<typeof personQuery>>();

/** @param signIn id of the sign-in behind the call */
export async function findPerson(orm: Orm, id: string, signIn: string): Promise<Person | undefined> {
  const query = prepared.get(orm) ?? personQuery(orm);
  prepared.set(orm, query);
  const rows = await query.execute({ id, signIn });
  const first = rows[0];
  if (first === undefined) return undefined;
  return {
    user: first.user,
    signIn: first.signIn ?? undefined,
    memberships: rows.flatMap(({ organization, roles, suspendedAt, rules }) =>
      organization === null
        ? []
        : [{ organization, roles: roles ?? [], suspended: suspendedAt !== null, rules: rules ?? undefined }],
    ),
    overrides: overridesIn(first.overrides),
  };
}
