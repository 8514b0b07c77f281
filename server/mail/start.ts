import type { App } from '#server/app/app.ts';
import { type MailSender, startMailSender } from './sender.ts';
import { countWaiting } from './waiting.ts';

/** Starts what sends mails. Without a mail server they wait: in a demo for readers of the outbox, else for a server. */
export async function startMail(app: App): Promise<MailSender> {
  const { config, db, log } = app;
  if (config.smtp !== undefined) return startMailSender(app, config.smtp);
  if (!config.demo) {
    const waiting = await countWaiting(db.orm);
    log.warn('Mails wait until SMTP_URL says where to send them.', { waiting });
  }
  return { close: async () => {} };
}
