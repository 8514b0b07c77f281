import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';
import { createSignal } from '#server/base/signal.ts';

import { type EmailRow, recordFailed, recordSent, claimDueEmails } from './due-emails.ts';
import { MAIL_CHANNEL } from './queue.ts';
import { domainOf, isPermanent, MAX_IN_FLIGHT, smtpTransport } from './transport.ts';

export interface MailSender {
  /**
   * Stops when the emails in flight have been sent, or after a few seconds. After a timeout, another process sends the
   * remaining emails again.
   */
  close(): Promise<void>;
}

/** The maximum time that closing waits for an unresponsive server. */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * Sends queued emails as soon as they are committed, several of them concurrently. Any number of processes can share
 * the work. Delivers at least once: after a crash between sending an email and recording the outcome, the email is sent
 * again, with the same message id.
 *
 * @param pollMs milliseconds between polls when nothing wakes the sender, for retries
 */
export async function startMailSender(
  { db, secrets, log, now }: Pick<App, 'db' | 'secrets' | 'log' | 'now'>,
  smtp: { url: string; from: string },
  pollMs = 10_000,
): Promise<MailSender> {
  const transport = smtpTransport(smtp);
  const domain = domainOf(smtp.from);
  const signal = createSignal();
  const inFlight = new Set<Promise<void>>();
  const stopController = new AbortController();
  const unlisten = await db.listen(MAIL_CHANNEL, signal.raise, signal.raise);

  async function send(row: EmailRow): Promise<void> {
    try {
      await transport.send({
        to: row.recipient,
        subject: row.subject,
        text: secrets.open(row.body),
        messageId: `quarterdeck.${row.id}.${row.createdAt.getTime()}@${domain}`,
        date: row.createdAt,
      });
    } catch (error) {
      if (stopController.signal.aborted) return;
      const next = await recordFailed(
        db.orm,
        row,
        { error: describeError(error), permanent: isPermanent(error) },
        now(),
      );
      const fields = { mail: row.id, attempt: row.attempts + 1, reason: describeError(error) };
      if (next === undefined) log.error('An email failed permanently.', fields);
      else log.warn("An email wasn't accepted.", { ...fields, retryAt: next.toISOString() });
      return;
    }
    await recordSent(db.orm, row.id, now());
  }

  async function sendDueEmails(): Promise<void> {
    const limit = MAX_IN_FLIGHT - inFlight.size;
    if (limit <= 0) return;
    for (const row of await claimDueEmails(db.orm, now(), limit)) {
      const delivery = send(row)
        .catch((error: unknown) =>
          log.error("The outcome of an email couldn't be recorded.", { mail: row.id, reason: describeError(error) }),
        )
        .finally(() => {
          inFlight.delete(delivery);
          // More emails may be due than the limit allowed.
          signal.raise();
        });
      inFlight.add(delivery);
    }
  }

  async function run(): Promise<void> {
    while (!stopController.signal.aborted) {
      try {
        await sendDueEmails();
      } catch (error) {
        log.error("Queued emails couldn't be read.", { reason: describeError(error) });
      }
      await signal.wait(pollMs);
    }
  }
  const loop = run();

  return {
    async close() {
      stopController.abort();
      signal.raise();
      await unlisten();
      await loop;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([Promise.all(inFlight), timeout]);
      clearTimeout(timer);
      transport.close();
    },
  };
}
