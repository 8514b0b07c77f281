import { and, isNull, lt } from 'drizzle-orm';

import type { App } from '#server/app/app.ts';
import { signIn, userActivity } from '#server/db/schema/sign-in.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Thirteen months. The contract does not specify a retention period. */
const ACTIVITY_RETENTION_DAYS = 400;
/**
 * Sign-ins unused for this long are deleted. Revoked sign-ins are kept because deleting them would make them valid
 * again.
 */
const SIGN_IN_RETENTION_DAYS = 180;

/** Deletes old activity and unused sign-ins. */
export async function deleteOldActivity({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await db.orm
    .delete(userActivity)
    .where(lt(userActivity.date, ago(ACTIVITY_RETENTION_DAYS).toISOString().slice(0, 10)));
  await db.orm.delete(signIn).where(and(lt(signIn.lastSeenAt, ago(SIGN_IN_RETENTION_DAYS)), isNull(signIn.revokedAt)));
}
