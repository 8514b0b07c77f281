/** Claims due emails from the mail queue and records the outcome of each email. */
import { eq, sql } from 'drizzle-orm';

import type { Executor } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';

export type EmailRow = typeof mail.$inferSelect;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The pauses after the first, second, and later failures, a day in total. A failure after the last pause is permanent.
 */
const pauses = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE).concat([1, 2, 4, 6, 10].map((n) => n * HOUR));

/** How long until a claimed email without an outcome is sent again, because its process must have died. */
const CLAIM_MS = 10 * MINUTE;

/**
 * Claims due emails. Concurrent calls claim different emails (`skip locked`), and claimed emails are no longer due for
 * later calls. Two processes sharing a database therefore never send the same email.
 *
 * Excludes text messages because only the embedded identity provider creates them, for the outbox.
 */
export async function claimDueEmails(db: Executor, now: Date, limit: number): Promise<EmailRow[]> {
  const dueEmails = sql`(select id from mail where channel = 'email' and next_attempt_at <= ${now.toISOString()}::timestamptz
    order by next_attempt_at, id limit ${limit} for update skip locked)`;
  return db
    .update(mail)
    .set({ nextAttemptAt: new Date(now.getTime() + CLAIM_MS) })
    .where(sql`${mail.id} in ${dueEmails}`)
    .returning();
}

/** Records that an email was sent, and clears its body, which is no longer needed. */
export async function recordSent(db: Executor, id: number, now: Date): Promise<void> {
  await db
    .update(mail)
    .set({ sentAt: now, body: '', nextAttemptAt: null, error: null, attempts: sql`${mail.attempts} + 1` })
    .where(eq(mail.id, id));
}

/**
 * Schedules a retry after a pause. Gives up after a permanent error or the last pause.
 *
 * @returns the time of the retry; undefined if there is none
 */
export async function recordFailed(
  db: Executor,
  { id, attempts }: Pick<EmailRow, 'id' | 'attempts'>,
  { error, permanent }: { error: string; permanent: boolean },
  now: Date,
): Promise<Date | undefined> {
  const pause = permanent ? undefined : pauses[attempts];
  const next = pause === undefined ? undefined : new Date(now.getTime() + pause);
  await db
    .update(mail)
    .set({ attempts: attempts + 1, error, nextAttemptAt: next ?? null, ...(next ? {} : { body: '' }) })
    .where(eq(mail.id, id));
  return next;
}

/** Counts the unsent emails. */
export const countUnsent = (db: Executor): Promise<number> =>
  db.$count(mail, sql`${mail.channel} = 'email' and ${mail.nextAttemptAt} is not null`);
