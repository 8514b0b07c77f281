import { and, isNull, lt } from 'drizzle-orm';
import type { App } from '#server/app/app.ts';
import { signIn, userActivity } from '#server/db/schema/sign-in.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A year and a month (retention is not stated). */
const ACTIVITY_KEPT_DAYS = 400;
/** Sign-ins that nobody used for as long are forgotten; those that were ended are not, or they would live again. */
const UNUSED_DAYS = 180;

export async function dropOldActivity({ db, now }: Pick<App, 'db' | 'now'>): Promise<void> {
  const ago = (days: number) => new Date(now().getTime() - days * DAY_MS);
  await db.orm.delete(userActivity).where(lt(userActivity.date, ago(ACTIVITY_KEPT_DAYS).toISOString().slice(0, 10)));
  await db.orm.delete(signIn).where(and(lt(signIn.lastSeenAt, ago(UNUSED_DAYS)), isNull(signIn.revokedAt)));
}
