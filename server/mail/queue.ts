import { sql } from 'drizzle-orm';

import { replaceInvisible } from '#commands/text/visible.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';

/** A plain text message to one person. */
export interface NewEmail {
  /** An address, or a telephone number for an SMS. */
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  /** `email` by default. */
  readonly channel?: 'email' | 'sms';
}

/**
 * The PostgreSQL notification channel that wakes the sender. The payload is empty, which limits each transaction to one
 * notification.
 */
export const MAIL_CHANNEL = 'quarterdeck_mail';

/**
 * Queues emails in the caller's transaction. They are sent after it commits. Uses a constant number of statements for
 * any number of emails.
 *
 * @returns their ids, in the order of `emails`
 */
export async function queueEmails(
  app: Pick<App, 'secrets' | 'now'>,
  tx: Executor,
  emails: readonly NewEmail[],
): Promise<number[]> {
  if (emails.length === 0) return [];
  const now = app.now();
  const rows = await tx
    .insert(mail)
    .values(
      emails.map(({ to, subject, body, channel = 'email' }) => ({
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
 * Makes a string safe for a subject. Subjects contain names that users chose. A line break in a name would start
 * another header, and characters that change the reading order would also affect the address next to the subject.
 */
export function toSingleLine(text: string): string {
  return replaceInvisible(text, ' ').replace(/ {2,}/g, ' ').trim();
}
