import { and, desc, eq, gt } from 'drizzle-orm';

import type { Database, Executor } from '#server/db/database.ts';
import { reserveId } from '#server/db/ids.ts';
import { supportSession } from '#server/db/schema/support.ts';

/** How long a support session lasts after its start or renewal. */
export const SUPPORT_SESSION_MS = 60 * 60 * 1000;

/** The server stores support sessions because any client of the contract can start one. */
export type SupportSession = typeof supportSession.$inferSelect;

/** A staff member and the organization of their support session. */
export interface SupportStaff {
  readonly organization: string;
  readonly userId: string;
}

export async function findOpenSupportSession(
  db: Executor,
  { organization, userId }: SupportStaff,
  now: Date,
): Promise<SupportSession | undefined> {
  const [session] = await db
    .select()
    .from(supportSession)
    .where(
      and(
        eq(supportSession.organization, organization),
        eq(supportSession.userId, userId),
        gt(supportSession.endsAt, now),
      ),
    )
    .orderBy(desc(supportSession.endsAt), desc(supportSession.id))
    .limit(1);
  return session;
}

/**
 * Finds the user's open support session, or begins a new, read-only session. Two concurrent first calls begin a single
 * session.
 */
export async function findOrBeginSupportSession(db: Database, staff: SupportStaff, now: Date): Promise<SupportSession> {
  const openSession = await findOpenSupportSession(db.orm, staff, now);
  return openSession ?? (await db.transaction((tx) => begin(tx, staff, now)));
}

async function begin(tx: Executor, staff: SupportStaff, now: Date): Promise<SupportSession> {
  // Taking an id locks the organization's counter, so a concurrent call sees the session begun by the first.
  const id = await reserveId(tx, staff.organization, 'support_visit');
  const openSession = await findOpenSupportSession(tx, staff, now);
  if (openSession !== undefined) return openSession;
  const [created] = await tx
    .insert(supportSession)
    .values({ ...staff, id, beganAt: now, endsAt: new Date(now.getTime() + SUPPORT_SESSION_MS) })
    .returning();
  if (created === undefined) throw new Error('A support session was inserted but not returned.');
  return created;
}

type SupportSessionChange = Partial<Pick<SupportSession, 'reason' | 'endsAt' | 'changesAllowedAt'>>;

/** Changes a support session and returns it; undefined if it has ended. */
export async function updateSupportSession(
  db: Executor,
  { organization, id }: SupportSession,
  change: SupportSessionChange,
  now: Date,
): Promise<SupportSession | undefined> {
  const isSession = and(eq(supportSession.organization, organization), eq(supportSession.id, id));
  const [changedRow] = await db
    .update(supportSession)
    .set(change)
    .where(and(isSession, gt(supportSession.endsAt, now)))
    .returning();
  return changedRow;
}

/** Changes the user's open support session, or a new one if there is none or it ends in the meantime. */
export async function changeSupportSession(
  db: Database,
  staff: SupportStaff,
  change: (session: SupportSession) => SupportSessionChange,
  now: Date,
): Promise<SupportSession> {
  const session = await findOrBeginSupportSession(db, staff, now);
  return (
    (await updateSupportSession(db.orm, session, change(session), now)) ?? changeSupportSession(db, staff, change, now)
  );
}
