import { and, desc, eq, gt } from 'drizzle-orm';
import type { Database, Executor } from '#server/db/database.ts';
import { nextId } from '#server/db/ids.ts';
import { supportVisit } from '#server/db/schema/support.ts';

/** How long a visit lasts after it began or was renewed. */
export const VISIT_MS = 60 * 60 * 1000;

export type Visit = typeof supportVisit.$inferSelect;

/** Who visits which organization. Any client of the contract makes visits, so it is the server that keeps them. */
export interface Visitor {
  readonly organization: string;
  readonly userId: string;
}

export async function openVisit(
  db: Executor,
  { organization, userId }: Visitor,
  now: Date,
): Promise<Visit | undefined> {
  const [found] = await db
    .select()
    .from(supportVisit)
    .where(
      and(eq(supportVisit.organization, organization), eq(supportVisit.userId, userId), gt(supportVisit.endsAt, now)),
    )
    .orderBy(desc(supportVisit.endsAt), desc(supportVisit.id))
    .limit(1);
  return found;
}

/** The visitor's open visit, or a new one, which may only read. Two first calls at once make one visit. */
export async function openOrBegin(db: Database, visitor: Visitor, now: Date): Promise<Visit> {
  const open = await openVisit(db.orm, visitor, now);
  return open ?? (await db.transaction((tx) => begin(tx, visitor, now)));
}

async function begin(tx: Executor, visitor: Visitor, now: Date): Promise<Visit> {
  // Taking an id locks the organization's counter, so that whoever comes second sees what the first one began.
  const id = await nextId(tx, visitor.organization, 'support_visit');
  const open = await openVisit(tx, visitor, now);
  if (open !== undefined) return open;
  const [begun] = await tx
    .insert(supportVisit)
    .values({ ...visitor, id, beganAt: now, endsAt: new Date(now.getTime() + VISIT_MS) })
    .returning();
  if (begun === undefined) throw new Error('A visit was inserted and not returned.');
  return begun;
}

/** @returns the visit as it is afterwards */
export async function changeVisit(
  db: Executor,
  { organization, id }: Visit,
  change: Partial<Pick<Visit, 'reason' | 'endsAt' | 'changesAllowedAt'>>,
): Promise<Visit> {
  const [changed] = await db
    .update(supportVisit)
    .set(change)
    .where(and(eq(supportVisit.organization, organization), eq(supportVisit.id, id)))
    .returning();
  if (changed === undefined) throw new Error(`The visit ${id} to ${organization} vanished.`);
  return changed;
}
