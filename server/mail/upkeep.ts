import { lt } from 'drizzle-orm';
import type { Database } from '#server/db/database.ts';
import { emailNotification, mail } from '#server/db/schema/mail.ts';

/** Days: as long as the longest invitation is valid. What waited longer for a mail server is of no use any more. */
const KEPT = 30;

/** Forgets old mails, and the history of those that told of events with them (retention is not stated). */
export async function dropOldMails(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT * 86_400_000);
  await db.transaction(async (tx) => {
    await tx.delete(emailNotification).where(lt(emailNotification.time, before));
    await tx.delete(mail).where(lt(mail.createdAt, before));
  });
}
