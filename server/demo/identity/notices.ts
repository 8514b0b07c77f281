import type { App } from '#server/app/app.ts';
import { queueEmails } from '#server/mail/queue.ts';

import type { Notice } from './emulator/messages.ts';

interface MessageText {
  readonly subject: string;
  /**
   * Returns the message text.
   *
   * @param link the URL that accepts the code; empty for a text message
   */
  body(code: string, link: string): string;
  readonly path?: string;
}

const IF_UNREQUESTED = "If you didn't request this, you can ignore this email. Nothing will change.";

/** The embedded provider's messages to users. Google's own messages are configured in its console. */
const messages: Readonly<Record<Notice['kind'], MessageText>> = {
  'verify-email': {
    subject: 'Verify your email address',
    path: '/login/email-verification',
    body: (_code, link) =>
      `Open this link to verify your email address for Quarterdeck. The link works once and expires in three days.\n\n${link}\n\n${IF_UNREQUESTED}\n`,
  },
  'reset-password': {
    subject: 'Set a new password',
    path: '/login/reset-password',
    body: (_code, link) =>
      `Open this link to set a new password for Quarterdeck. The link works once and expires in one hour.\n\n${link}\n\n${IF_UNREQUESTED}\n`,
  },
  'change-email': {
    subject: 'Verify your new email address',
    path: '/login/email-verification',
    body: (_code, link) =>
      `Open this link to sign in to Quarterdeck with this address from now on. The link works once and expires in three days.\n\n${link}\n\n${IF_UNREQUESTED}\n`,
  },
  'sms-code': {
    subject: 'Verification code',
    body: (code) => `${code} is your verification code for Quarterdeck. The code is valid for five minutes.\n`,
  },
};

/**
 * Sends a code, with which the user proves that they own the email address or phone. A failure is logged without the
 * code.
 */
export async function sendNotice(app: App, { kind, to, code }: Notice): Promise<void> {
  const { subject, body, path } = messages[kind];
  const link = path === undefined ? '' : `${app.config.origin}${path}?oobCode=${encodeURIComponent(code)}`;
  const channel = path === undefined ? 'sms' : 'email';
  try {
    await app.db.transaction((tx) => queueEmails(app, tx, [{ to, subject, body: body(code, link), channel }]));
  } catch (error) {
    app.log.error("A code couldn't be sent.", { kind, error: error instanceof Error ? error.message : String(error) });
  }
}
