import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq, sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { groupedRead } from '#server/db/pool/grouped-read.ts';
import { organization } from '#server/db/schema/organization.ts';

import { accessible, accessIn } from './access.ts';
import { createScope, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { barredFrom } from './sign-in-rules.ts';

/**
 * The organization that a request acts in.
 *
 * @param requested the organization in the request; empty means unset (contract: Conventions), which selects the
 *   token's organization, or the person's default one or, if that is unset or gone, the first they are a member of,
 *   skipping one that a rule bars them from
 * @returns undefined if none is named and the caller belongs to none
 * @throws ConnectError PERMISSION_DENIED with the same message for one that does not exist and for one that is not
 *   accessible, so nobody can discover which organizations exist (the code that spec 2 expects when fetching the user);
 *   and, with the rule, for one that a rule bars the caller from
 */
export async function resolveScope(
  app: Pick<App, 'db'>,
  session: Session,
  requested: string | undefined,
): Promise<Scope | undefined> {
  if (requested) {
    const reached = await reach(app, session, requested);
    if (reached === undefined) {
      throw new ConnectError(`There is no organization "${requested}" that you have access to.`, Code.PermissionDenied);
    }
    if (reached.barred !== undefined) throw new ConnectError(reached.barred, Code.PermissionDenied);
    return scopeIn(session, reached);
  }
  for (const candidate of homes(session)) {
    const reached = await reach(app, session, candidate);
    if (reached !== undefined && reached.barred === undefined) return scopeIn(session, reached);
  }
  return undefined;
}

function homes({ token, user, memberships }: Session): string[] {
  if (token !== undefined) return [token.organization];
  const first = memberships.find((membership) => membership.barred === undefined)?.organization;
  return [user.defaultOrganization, first].filter((id) => id != null);
}

interface ReachableOrganization {
  readonly id: string;
  readonly path: readonly string[];
  /** The rule that bars the caller, as a sentence. */
  readonly barred: string | undefined;
}

interface Reach {
  readonly session: Session;
  readonly id: string;
}

interface OrganizationRow extends Record<string, unknown> {
  readonly place: number;
  readonly id: string;
  readonly path: string[];
}

/** Each session has a condition of its own, so each key has a part of the statement. */
const readOrganization = groupedRead<Reach, OrganizationRow | undefined>((orm) => async (keys) => {
  const parts = keys.map(
    ({ session, id }, place) => sql`select ${sql.raw(String(place))} as place, ${organization.id}, ${organization.path}
      from ${organization} where ${and(eq(organization.id, id), accessible(session))}`,
  );
  const { rows } = await orm.execute<OrganizationRow>(sql.join(parts, sql` union all `));
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, place) => byPlace.get(place));
});

async function reach(app: Pick<App, 'db'>, session: Session, id: string): Promise<ReachableOrganization | undefined> {
  const row = await readOrganization(app.db, { session, id });
  return row && { id: row.id, path: row.path, barred: barredFrom(session, row.path) };
}

const scopeIn = (session: Session, { id, path }: ReachableOrganization): Scope =>
  createScope(session, id, accessIn(session, id, path));
