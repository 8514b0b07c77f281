import type { App } from '#server/app/app.ts';

import { countUnsent } from './due-emails.ts';
import { type MailSender, startMailSender } from './sender.ts';

/**
 * Starts the mail sender. If no SMTP server is configured, emails stay queued. A demo shows them in its outbox, and
 * other installations send them when a server is configured.
 */
export async function startEmailDelivery(app: App): Promise<MailSender> {
  const { config, db, log } = app;
  if (config.smtp !== undefined) return startMailSender(app, config.smtp);
  if (!config.demo) {
    const count = await countUnsent(db.orm);
    log.warn('Emails stay queued until SMTP_URL is set.', { unsent: count });
  }
  return { close: async () => {} };
}
