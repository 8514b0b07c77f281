import { lt } from 'drizzle-orm';

import type { Database } from '#server/db/database.ts';
import { emailNotification, mail } from '#server/db/schema/mail.ts';

/** The number of days until an invitation expires. An email that hasn't been sent by then is useless. */
const RETENTION_DAYS = 30;

/**
 * Deletes old emails, along with the history of notification emails. The contract does not specify a retention period.
 */
export async function deleteOldEmails(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - RETENTION_DAYS * 86_400_000);
  await db.transaction(async (tx) => {
    await tx.delete(emailNotification).where(lt(emailNotification.time, before));
    await tx.delete(mail).where(lt(mail.createdAt, before));
  });
}
