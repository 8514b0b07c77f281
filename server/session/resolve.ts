import { Code, ConnectError } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { organization } from '#server/db/schema/organization.ts';
import { accessible, accessIn } from './access.ts';
import { createScope, type Scope } from './scope.ts';
import type { Session } from './session.ts';
import { barredFrom } from './sign-in-rules.ts';

/**
 * The organization that a request acts in.
 *
 * @param named what the request says; empty means unset (contract: Conventions), which is the token's organization, or
 *   the person's default one, or when that is gone or not set the first they are a member of; one that a rule bars
 *   them from is passed over
 * @returns undefined when none is named and the caller belongs to none
 * @throws ConnectError PERMISSION_DENIED for one that does not exist and for one that is not accessible, in the same
 *   words, so that nobody can find out which organizations exist (spec 2 knows this code from fetching the user); and,
 *   with the rule, for one that a rule bars the caller from
 */
export async function resolveScope(
  app: Pick<App, 'db'>,
  session: Session,
  named: string | undefined,
): Promise<Scope | undefined> {
  if (named) {
    const found = await reach(app, session, named);
    if (found === undefined) {
      throw new ConnectError(`There is no organization "${named}" that you have access to.`, Code.PermissionDenied);
    }
    if (found.barred !== undefined) throw new ConnectError(found.barred, Code.PermissionDenied);
    return scopeIn(session, found);
  }
  for (const candidate of homes(session)) {
    const found = await reach(app, session, candidate);
    if (found !== undefined && found.barred === undefined) return scopeIn(session, found);
  }
  return undefined;
}

function homes({ token, user, memberships }: Session): string[] {
  if (token !== undefined) return [token.organization];
  const first = memberships.find((membership) => membership.barred === undefined)?.organization;
  return [user.defaultOrganization, first].filter((id) => id != null);
}

interface Reached {
  readonly id: string;
  readonly path: readonly string[];
  /** The rule that bars the caller, as a sentence. */
  readonly barred: string | undefined;
}

async function reach(app: Pick<App, 'db'>, session: Session, id: string): Promise<Reached | undefined> {
  const [row] = await app.db.orm
    .select({ id: organization.id, path: organization.path })
    .from(organization)
    .where(and(eq(organization.id, id), accessible(session)));
  return row && { ...row, barred: barredFrom(session, row.path) };
}

const scopeIn = (session: Session, { id, path }: Reached): Scope =>
  createScope(session, id, accessIn(session, id, path));
