import { asc, eq } from 'drizzle-orm';

import type { CurrentUser } from '#proto/gen/hiber/current_user_pb.ts';
import type { Executor } from '#server/db/database.ts';
import { accessRequest } from '#server/db/schema/membership-request.ts';
import type { Scope } from '#server/session/scope.ts';
import type { Session } from '#server/session/session.ts';

import { presentCurrentUser } from './present.ts';

/**
 * Loads the caller, with their requests to join organizations.
 *
 * @param scope undefined if the person has no memberships or is barred from their organization
 */
export async function loadCurrentUser(orm: Executor, session: Session, scope: Scope | undefined): Promise<CurrentUser> {
  const requests = await orm
    .select({ organization: accessRequest.organization })
    .from(accessRequest)
    .where(eq(accessRequest.userId, session.user.id))
    .orderBy(asc(accessRequest.organization));
  return presentCurrentUser(
    session,
    scope,
    requests.map((request) => request.organization),
  );
}
