/** The mails that wait, as the sender sees them: what is due, and what became of it. */
import { eq, sql } from 'drizzle-orm';
import type { Executor } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';

export type MailRow = typeof mail.$inferSelect;

const MINUTE = 60_000;
const hour = 60 * MINUTE;

/** Pauses after the first, second … failure, a day in all; after the last one the mail is given up. */
const pauses = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE).concat([1, 2, 4, 6, 10].map((n) => n * hour));

/** Milliseconds after which a mail that was taken and not settled is sent again: its process is gone. */
const taken = 10 * MINUTE;

/**
 * Takes mails that are due. Others that look at the same time take others (`skip locked`), and later they are no longer
 * due: so two processes on a database never send one twice.
 *
 * SMS are not ours to send: only the embedded identity provider writes them, for the outbox.
 */
export async function takeMails(db: Executor, now: Date, limit: number): Promise<MailRow[]> {
  const due = sql`(select id from mail where channel = 'email' and next_attempt_at <= ${now.toISOString()}::timestamptz
    order by next_attempt_at, id limit ${limit} for update skip locked)`;
  return db
    .update(mail)
    .set({ nextAttemptAt: new Date(now.getTime() + taken) })
    .where(sql`${mail.id} in ${due}`)
    .returning();
}

/** Done: what it said is nobody's business any more. */
export async function settleSent(db: Executor, id: number, now: Date): Promise<void> {
  await db
    .update(mail)
    .set({ sentAt: now, body: '', nextAttemptAt: null, error: null, attempts: sql`${mail.attempts} + 1` })
    .where(eq(mail.id, id));
}

/**
 * To be tried again after a pause, or given up: for good reasons (`final`), or after the last pause.
 *
 * @returns when it is tried again; undefined when it is given up
 */
export async function settleFailed(
  db: Executor,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  { error, final }: { error: string; final: boolean },
  now: Date,
): Promise<Date | undefined> {
  const pause = final ? undefined : pauses[attempts];
  const next = pause === undefined ? undefined : new Date(now.getTime() + pause);
  await db
    .update(mail)
    .set({ attempts: attempts + 1, error, nextAttemptAt: next ?? null, ...(next ? {} : { body: '' }) })
    .where(eq(mail.id, id));
  return next;
}

/** How many wait to be sent. */
export const countWaiting = (db: Executor): Promise<number> =>
  db.$count(mail, sql`${mail.channel} = 'email' and ${mail.nextAttemptAt} is not null`);
