import { sql } from 'drizzle-orm';

import { replaceInvisible } from '#commands/text/visible.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';

/** A plain text message to one person. */
export interface NewMail {
  /** An address, or a telephone number for an SMS. */
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  /** `email` by default. */
  readonly channel?: 'email' | 'sms';
}

/** PostgreSQL notification channel that wakes the sender; the payload is empty, so a transaction notifies once. */
export const MAIL_CHANNEL = 'quarterdeck_mail';

/**
 * Queues emails in the caller's transaction; they are sent once it has committed. Uses a constant number of statements
 * for any number of emails.
 *
 * @returns their ids, in the order of `mails`
 */
export async function queueMail(
  app: Pick<App, 'secrets' | 'now'>,
  tx: Executor,
  mails: readonly NewMail[],
): Promise<number[]> {
  if (mails.length === 0) return [];
  const now = app.now();
  const rows = await tx
    .insert(mail)
    .values(
      mails.map(({ to, subject, body, channel = 'email' }) => ({
        channel,
        recipient: toSingleLine(to),
        subject: toSingleLine(subject),
        body: app.secrets.seal(body),
        createdAt: now,
        nextAttemptAt: now,
      })),
    )
    .returning({ id: mail.id });
  await tx.execute(sql`select pg_notify(${MAIL_CHANNEL}, '')`);
  return rows.map(({ id }) => id);
}

/**
 * Makes text safe for a subject. Subjects contain names that people chose, where a line break would start another
 * header, and characters that change the reading order would also affect the address beside the subject.
 */
export function toSingleLine(text: string): string {
  return replaceInvisible(text, ' ').replace(/ {2,}/g, ' ').trim();
}
