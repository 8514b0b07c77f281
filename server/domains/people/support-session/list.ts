import { and, asc, count, desc, eq, ilike, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import type { ListVisitsRequest } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { anyOf } from '#server/db/any-of.ts';
import type { Executor } from '#server/db/database.ts';
import { supportCall, supportVisit } from '#server/db/schema/support.ts';
import { appUser } from '#server/db/schema/user.ts';
import type { Page } from '#server/wire/pagination.ts';
import { containing } from '#server/wire/text.ts';
import type { ListedVisit } from './present.ts';

type Selection = Pick<ListVisitsRequest, 'search' | 'onlyChanges' | 'visitIds'>;

const callsOf = (where: SQL = sql`true`) => sql<number>`(
  select count(*)::int from support_call call
   where call.organization = ${supportVisit.organization} and call.visit = ${supportVisit.id} and ${where})`;

function selected({ search, onlyChanges, visitIds }: Selection): SQL | undefined {
  const text = search?.trim() ?? '';
  const columns = [appUser.name, appUser.email, supportVisit.reason, supportVisit.organization];
  return and(
    text === '' ? undefined : or(...columns.map((column) => ilike(column, containing(text)))),
    onlyChanges ? isNotNull(supportVisit.changesAllowedAt) : undefined,
    visitIds.length === 0 ? undefined : anyOf(supportVisit.id, visitIds.map(Number)),
  );
}

/**
 * A page of visits, newest first, and how many there are in all.
 *
 * @param organization undefined for the visits to all of them
 */
export async function listVisits(
  db: Executor,
  organization: string | undefined,
  selection: Selection,
  { limit, offset }: Page,
): Promise<{ total: number; visits: ListedVisit[] }> {
  const here = organization === undefined ? undefined : eq(supportVisit.organization, organization);
  const where = and(here, selected(selection));
  const ofUser = eq(appUser.id, supportVisit.userId);
  const [total] = await db.select({ count: count() }).from(supportVisit).leftJoin(appUser, ofUser).where(where);
  const rows = await db
    .select({
      visit: supportVisit,
      userName: appUser.name,
      userEmail: appUser.email,
      calls: callsOf(),
      changes: callsOf(sql`call.changes`),
    })
    .from(supportVisit)
    .leftJoin(appUser, ofUser)
    .where(where)
    .orderBy(desc(supportVisit.beganAt), asc(supportVisit.organization), desc(supportVisit.id))
    .limit(limit)
    .offset(offset);
  return {
    total: total?.count ?? 0,
    visits: rows.map((row) => ({ ...row, userName: row.userName ?? '', userEmail: row.userEmail ?? '' })),
  };
}

/** A page of a visit's calls, oldest first, and how many there are in all. */
export async function listCalls(
  db: Executor,
  organization: string,
  visit: number,
  { limit, offset }: Page,
): Promise<{ total: number; calls: (typeof supportCall.$inferSelect)[] }> {
  const where = and(eq(supportCall.organization, organization), eq(supportCall.visit, visit));
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
