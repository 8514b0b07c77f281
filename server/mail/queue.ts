/** Where whatever tells somebody something leaves its mail. */
import { sql } from 'drizzle-orm';
import { withoutUnseen } from '#commands/text/visible.ts';
import type { App } from '#server/app/app.ts';
import type { Executor } from '#server/db/database.ts';
import { mail } from '#server/db/schema/mail.ts';

/** A message to one person, as plain text. */
export interface NewMail {
  /** Address, or telephone number of an SMS. */
  readonly to: string;
  readonly subject: string;
  readonly body: string;
  /** `email` when left out. */
  readonly channel?: 'email' | 'sms';
}

/**
 * PostgreSQL notification channel that wakes the sender; the payload is empty, so that one transaction notifies once.
 */
export const MAIL_CHANNEL = 'quarterdeck_mail';

/**
 * Stores mails in the caller's transaction; they leave once it has committed. A constant number of statements, however
 * many mails.
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
        recipient: oneLine(to),
        subject: oneLine(subject),
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
 * Names that people chose stand in subjects: a line break there would start a header of their own. What turns the order
 * of reading would turn the address beside it.
 */
export function oneLine(text: string): string {
  return withoutUnseen(text, ' ').replace(/ {2,}/g, ' ').trim();
}
