import type { App } from '#server/app/app.ts';

import { type MailSender, startMailSender } from './sender.ts';
import { countWaiting } from './waiting.ts';

/**
 * Starts the mail sender. Without a mail server, mails wait: in a demo for readers of the outbox, otherwise for a
 * server.
 */
export async function startMail(app: App): Promise<MailSender> {
  const { config, db, log } = app;
  if (config.smtp !== undefined) return startMailSender(app, config.smtp);
  if (!config.demo) {
    const count = await countWaiting(db.orm);
    log.warn('Mails wait until SMTP_URL says where to send them.', { waiting: count });
  }
  return { close: async () => {} };
}
