import { and, asc, eq, sql } from 'drizzle-orm';

import { groupBy } from '#commands/text/group-by.ts';
import type { Database, Orm } from '#server/db/database.ts';
import { groupedRead } from '#server/db/pool/grouped-read.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { appUser, membership } from '#server/db/schema/user.ts';

import type { Session } from './session.ts';
import type { SignInRules } from './sign-in-rules.ts';

/** The data that every call by a user depends on. */
export interface Person {
  readonly user: Session['user'];
  /** The sign-in behind the call; undefined on its first call. */
  readonly signIn: typeof signIn.$inferSelect | undefined;
  readonly memberships: {
    organization: string;
    path: readonly string[];
    roles: string[];
    suspended: boolean;
    rules: SignInRules | undefined;
  }[];
  readonly overrides: ReadonlyMap<string, readonly string[]>;
}

/** The role overrides of the row's user, as an object with organizations as keys; null if the user has none. */
export const overridesColumn = sql<Record<string, string[]> | null>`(
  select jsonb_object_agg(role_override.organization, role_override.roles)
    from role_override where role_override.user_id = ${appUser.id})`;

export const overridesIn = (column: Record<string, string[]> | null | undefined): Session['overrides'] =>
  new Map(Object.entries(column ?? {}));

/** Prepared because planning takes longer than running it. */
const personQuery = (orm: Orm) =>
  orm
    .select({
      ordinal: sql<number>`call.ordinal`.mapWith(Number),
      user: appUser,
      overrides: overridesColumn,
      signIn,
      organization: membership.organization,
      path: organization.path,
      roles: membership.roles,
      suspendedAt: membership.suspendedAt,
      rules: userValidation,
    })
    .from(
      sql`unnest(${sql.placeholder('ids')}::text[], ${sql.placeholder('signIns')}::text[])
        with ordinality as call (id, sign_in, ordinal)`,
    )
    .innerJoin(appUser, sql`${appUser.id} = call.id`)
    .leftJoin(signIn, and(eq(signIn.userId, appUser.id), sql`${signIn.id} = call.sign_in`))
    .leftJoin(membership, eq(membership.userId, appUser.id))
    .leftJoin(organization, eq(organization.id, membership.organization))
    .leftJoin(userValidation, eq(userValidation.organization, membership.organization))
    .orderBy(sql`call.ordinal`, asc(membership.organization))
    .prepare('person_of_call');

type PersonRow = Awaited<ReturnType<ReturnType<typeof personQuery>['execute']>>[number];

interface PersonKey {
  readonly id: string;
  /** The id of the sign-in behind the call. */
  readonly signIn: string;
}

const readPerson = groupedRead<PersonKey, Person | undefined>((orm) => {
  const query = personQuery(orm);
  return async (keys) => {
    const rows = await query.execute({ ids: keys.map(({ id }) => id), signIns: keys.map((key) => key.signIn) });
    const byOrdinal = groupBy(rows, ({ ordinal }) => ordinal);
    return keys.map((_, index) => personIn(byOrdinal.get(index + 1) ?? []));
  };
});

/**
 * Finds a user with their memberships.
 *
 * @param signIn the id of the sign-in that authenticates the call
 */
export const findPerson = (database: Pick<Database, 'pool'>, id: string, signIn: string): Promise<Person | undefined> =>
  readPerson(database, { id, signIn });

function personIn(rows: readonly PersonRow[]): Person | undefined {
  const first = rows[0];
  if (first === undefined) return undefined;
  return {
    user: first.user,
    signIn: first.signIn ?? undefined,
    memberships: rows.flatMap(({ organization: id, path, roles, suspendedAt, rules }) =>
      id === null
        ? []
        : [
            {
              organization: id,
              path: path ?? [],
              roles: roles ?? [],
              suspended: suspendedAt !== null,
              rules: rules ?? undefined,
            },
          ],
    ),
    overrides: overridesIn(first.overrides),
  };
}
