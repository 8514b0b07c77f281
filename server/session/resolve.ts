import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import type { App } from '../app.ts';
import { organization } from '../db/schema/organization.ts';
import { accessible, accessIn } from './access.ts';
import { createScope, type Scope } from './scope.ts';
import type { Session } from './session.ts';

/**
 * The organization that a request acts in.
 *
 * @param named what the request says; empty means unset (contract: Conventions), which is the token's organization, or
 *   the person's default one, or when that is gone or not set the first they are a member of
 * @returns undefined when none is named and the caller belongs to none
 * @throws ConnectError PERMISSION_DENIED for one that does not exist and for one that is not accessible, in the same
 *   words, so that nobody can find out which organizations exist (spec 2 knows this code from fetching the user)
 */
export async function resolveScope(
  app: Pick<App, 'db'>,
  session: Session,
  named: string | undefined,
): Promise<Scope | undefined> {
  if (named) {
    const found = await scopeIn(app, session, named);
    if (found === undefined) {
      throw new ConnectError(`There is no organization "${named}" that you have access to.`, Code.PermissionDenied);
    }
    return found;
  }
  for (const candidate of homes(session)) {
    const found = await scopeIn(app, session, candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

function homes({ token, user, memberships }: Session): string[] {
  if (token !== undefined) return [token.organization];
  const first = memberships[0]?.organization;
  return [user.defaultOrganization, first].filter((id) => id != null);
}

async function scopeIn(app: Pick<App, 'db'>, session: Session, id: string): Promise<Scope | undefined> {
  const [row] = await app.db.orm
    .select({ id: organization.id, path: organization.path })
    .from(organization)
    .where(and(eq(organization.id, id), accessible(session)));
  return row && createScope(session, row.id, accessIn(session, row.id, row.path));
}
