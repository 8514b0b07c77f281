import type { App } from '#server/app/app.ts';
import { loggable } from '#server/base/loggable.ts';
import { createSignal } from '#server/base/signal.ts';

import { MAIL_CHANNEL } from './queue.ts';
import { domainOf, isFinal, MAILS_AT_ONCE, smtpTransport } from './transport.ts';
import { type MailRow, settleFailed, settleSent, takeMails } from './waiting.ts';

export interface MailSender {
  /**
   * Ends once the mails in flight are sent, or after a few seconds: the remaining ones are then sent again by another
   * process.
   */
  close(): Promise<void>;
}

/** Milliseconds that closing waits for an unresponsive server. */
const CLOSE_TIMEOUT = 5_000;

/**
 * Sends queued mails as soon as they are committed, several concurrently. Any number of processes share the work. A
 * crash between the server's acknowledgment and its record repeats a mail, with the same message id.
 *
 * @param poll milliseconds between polls when nothing wakes it: for retries
 */
export async function startMailSender(
  { db, secrets, log, now }: Pick<App, 'db' | 'secrets' | 'log' | 'now'>,
  smtp: { url: string; from: string },
  poll = 10_000,
): Promise<MailSender> {
  const transport = smtpTransport(smtp);
  const domain = domainOf(smtp.from);
  const signal = createSignal();
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  const unlisten = await db.listen(MAIL_CHANNEL, signal.raise, signal.raise);

  async function send(row: MailRow): Promise<void> {
    try {
      await transport.send({
        to: row.recipient,
        subject: row.subject,
        text: secrets.open(row.body),
        messageId: `quarterdeck.${row.id}.${row.createdAt.getTime()}@${domain}`,
        date: row.createdAt,
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      const next = await settleFailed(db.orm, row, { error: loggable(error), final: isFinal(error) }, now());
      const fields = { mail: row.id, attempt: row.attempts + 1, reason: loggable(error) };
      if (next === undefined) log.error('A mail failed for good.', fields);
      else log.warn('A mail was not accepted.', { ...fields, retryAt: next.toISOString() });
      return;
    }
    await settleSent(db.orm, row.id, now());
  }

  async function take(): Promise<void> {
    const limit = MAILS_AT_ONCE - inFlight.size;
    if (limit <= 0) return;
    for (const row of await takeMails(db.orm, now(), limit)) {
      const sending = send(row)
        .catch((error: unknown) => log.error('A mail could not be settled.', { mail: row.id, reason: loggable(error) }))
        .finally(() => {
          inFlight.delete(sending);
          // There may be more mails than were taken.
          signal.raise();
        });
      inFlight.add(sending);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await take();
      } catch (error) {
        log.error('Waiting mails could not be read.', { reason: loggable(error) });
      }
      await signal.wait(poll);
    }
  }
  const running = run();

  return {
    async close() {
      stopping.abort();
      signal.raise();
      await unlisten();
      await running;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT)));
      await Promise.race([Promise.all(inFlight), timeout]);
      clearTimeout(timer);
      transport.close();
    },
  };
}
