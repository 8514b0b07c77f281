import { Code, ConnectError } from '@connectrpc/connect';
import { sql } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { groupedRead } from '#server/db/pool/grouped-read.ts';
import { organization } from '#server/db/schema/organization.ts';

import { accessIn, canReach } from './access.ts';
import { createScope, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { findBarringRule } from './sign-in-rules.ts';

/**
 * Finds the organization that a request acts in. If the request names none, a token acts in its own organization, and a
 * user acts in their default organization. If that is unset or not accessible, the user acts in the organization of
 * their first membership. An empty name counts as unset (contract: Conventions). Skips organizations that a rule bars
 * the user from.
 *
 * @param requested the organization in the request
 * @returns undefined if the request names no organization and the caller belongs to none
 * @throws ConnectError PERMISSION_DENIED if the organization isn't accessible (the code that spec 2 expects when
 *   fetching the user). The message is the same as for an organization that does not exist, so callers cannot probe for
 *   ids. If a rule bars the caller, the message states the rule.
 */
export async function resolveScope(
  app: Pick<App, 'db'>,
  session: Session,
  requested: string | undefined,
): Promise<Scope | undefined> {
  if (requested) {
    const reachableOrganization = await reach(app, session, requested);
    if (reachableOrganization === undefined) {
      throw new ConnectError(`You don't have access to organization "${requested}".`, Code.PermissionDenied);
    }
    if (reachableOrganization.blockedReason !== undefined)
      throw new ConnectError(reachableOrganization.blockedReason, Code.PermissionDenied);
    return scopeIn(session, reachableOrganization);
  }
  for (const candidate of defaultCandidates(session)) {
    const reachableOrganization = await reach(app, session, candidate);
    if (reachableOrganization !== undefined && reachableOrganization.blockedReason === undefined)
      return scopeIn(session, reachableOrganization);
  }
  return undefined;
}

function defaultCandidates({ token, user, memberships }: Session): string[] {
  if (token !== undefined) return [token.organization];
  const first = memberships.find((membership) => membership.blockedReason === undefined)?.organization;
  return [user.defaultOrganization, first].filter((id) => id != null);
}

interface ReachableOrganization {
  readonly id: string;
  readonly path: readonly string[];
  /** The reason why the caller is barred; undefined if they are not. */
  readonly blockedReason: string | undefined;
}

type OrganizationRow = Pick<ReachableOrganization, 'id' | 'path'>;

const readOrganization = groupedRead<string, OrganizationRow | undefined>((orm) => {
  const query = orm
    .select({ id: organization.id, path: organization.path })
    .from(organization)
    .where(sql`${organization.id} = any(${sql.placeholder('ids')}::text[])`)
    .prepare('organization_of_call');
  return async (ids) => {
    const rows = await query.execute({ ids });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  };
});

async function reach(app: Pick<App, 'db'>, session: Session, id: string): Promise<ReachableOrganization | undefined> {
  // Most calls act in an organization of the caller's, which was read with the caller.
  const ownMembership = session.memberships.find((membership) => membership.organization === id);
  const row = ownMembership ? { id, path: ownMembership.path } : await readOrganization(app.db, id);
  return row && canReach(session, row) ? { ...row, blockedReason: findBarringRule(session, row.path) } : undefined;
}

const scopeIn = (session: Session, { id, path }: ReachableOrganization): Scope =>
  createScope(session, id, accessIn(session, id, path));
