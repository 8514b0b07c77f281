import type { App } from '#server/app/app.ts';

import { type MailSender, startMailSender } from './sender.ts';
import { countUnsent } from './waiting.ts';

/**
 * Starts the mail sender. Without an SMTP server, emails stay queued: a demo shows them in its outbox, and other
 * installations send them once a server is configured.
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
