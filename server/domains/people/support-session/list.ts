import { and, asc, count, desc, eq, ilike, isNotNull, or, type SQL, sql } from 'drizzle-orm';

import type { ListSupportSessionsRequest } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { supportCall, supportSession } from '#server/db/schema/support.ts';
import { appUser } from '#server/db/schema/user.ts';
import type { Page } from '#server/wire/pagination.ts';
import { substringPattern } from '#server/wire/text.ts';

import type { ListedSupportSession } from './present.ts';

type Selection = Pick<ListSupportSessionsRequest, 'search' | 'onlyChanges' | 'supportSessionIds'>;

const countCalls = (where: SQL = sql`true`) => sql<number>`(
  select count(*)::int from support_call call
   where call.organization = ${supportSession.organization} and call.visit = ${supportSession.id} and ${where})`;

function selectionWhere({ search, onlyChanges, supportSessionIds }: Selection): SQL | undefined {
  const text = search?.trim() ?? '';
  const columns = [appUser.name, appUser.email, supportSession.reason, supportSession.organization];
  return and(
    text === '' ? undefined : or(...columns.map((column) => ilike(column, substringPattern(text)))),
    onlyChanges ? isNotNull(supportSession.changesAllowedAt) : undefined,
    supportSessionIds.length === 0 ? undefined : anyOf(supportSession.id, supportSessionIds.map(Number)),
  );
}

/**
 * Lists a page of support sessions, newest first, and counts all of them.
 *
 * @param organization if undefined, lists the support sessions in all organizations
 */
export async function listSupportSessions(
  db: Executor,
  organization: string | undefined,
  selection: Selection,
  { limit, offset }: Page,
): Promise<{ total: number; supportSessions: ListedSupportSession[] }> {
  const inOrganization = organization === undefined ? undefined : eq(supportSession.organization, organization);
  const where = and(inOrganization, selectionWhere(selection));
  const joinsUser = eq(appUser.id, supportSession.userId);
  const [total] = await db.select({ count: count() }).from(supportSession).leftJoin(appUser, joinsUser).where(where);
  const rows = await db
    .select({
      supportSession,
      userName: appUser.name,
      userEmail: appUser.email,
      calls: countCalls(),
      changes: countCalls(sql`call.changes`),
    })
    .from(supportSession)
    .leftJoin(appUser, joinsUser)
    .where(where)
    .orderBy(desc(supportSession.beganAt), asc(supportSession.organization), desc(supportSession.id))
    .limit(limit)
    .offset(offset);
  return {
    total: total?.count ?? 0,
    supportSessions: rows.map((row) => ({ ...row, userName: row.userName ?? '', userEmail: row.userEmail ?? '' })),
  };
}

/** Lists a page of the calls in a support session, oldest first, and counts all of them. */
export async function listCalls(
  db: Executor,
  organization: string,
  supportSessionId: number,
  { limit, offset }: Page,
): Promise<{ total: number; calls: (typeof supportCall.$inferSelect)[] }> {
  const where = and(eq(supportCall.organization, organization), eq(supportCall.supportSession, supportSessionId));
  const [total] = await db.select({ count: count() }).from(supportCall).where(where);
  const calls = await db
    .select()
    .from(supportCall)
    .where(where)
    .orderBy(asc(supportCall.id))
    .limit(limit)
    .offset(offset);
  return { total: total?.count ?? 0, calls };
}
