import type { App } from '#server/app/app.ts';
import { startDigests } from './digest.ts';
import { startMailSender } from '#server/mail/sender.ts';
import { countWaiting } from '#server/mail/waiting.ts';

/** Starts what makes notification mails and what sends mails. */
export async function startMail(app: App): Promise<{ close(): Promise<void> }> {
  const digests = startDigests(app);
  const sender = await startSending(app);
  return {
    async close() {
      await digests.close();
      await sender?.close();
    },
  };
}

/** Without a mail server mails wait: in a demo for readers of the outbox, else for a server. */
async function startSending(app: App) {
  const { config, db, log } = app;
  if (config.smtp !== undefined) return startMailSender(app, config.smtp);
  if (!config.demo) {
    const waiting = await countWaiting(db.orm);
    log.warn('Mails wait until SMTP_URL says where to send them.', { waiting });
  }
  return undefined;
}
