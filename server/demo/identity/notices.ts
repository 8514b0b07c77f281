import type { App } from '#server/app/app.ts';
import { queueMail } from '#server/mail/queue.ts';
import type { Notice } from './emulator/messages.ts';

interface Words {
  readonly subject: string;
  /** @param link address that takes the code; text messages have none */
  body(code: string, link: string): string;
  readonly path?: string;
}

const UNASKED = 'If you did not ask for this, you can ignore this mail: nothing changes.';

/** What the embedded provider tells people; Google has words of its own, which its console sets. */
const words: Readonly<Record<Notice['kind'], Words>> = {
  'verify-email': {
    subject: 'Verify your email address',
    path: '/login/email-verification',
    body: (_code, link) =>
      `Open this link to verify your email address for Quarterdeck. It works for three days, once.\n\n${link}\n\n${UNASKED}\n`,
  },
  'reset-password': {
    subject: 'Set a new password',
    path: '/login/reset-password',
    body: (_code, link) =>
      `Open this link to set a new password for Quarterdeck. It works for one hour, once.\n\n${link}\n\n${UNASKED}\n`,
  },
  'change-email': {
    subject: 'Verify your new email address',
    path: '/login/email-verification',
    body: (_code, link) =>
      `Open this link to sign in to Quarterdeck with this address from now on. It works for three days, once.\n\n${link}\n\n${UNASKED}\n`,
  },
  'sms-code': {
    subject: 'Verification code',
    body: (code) => `${code} is your verification code for Quarterdeck. It works for five minutes.\n`,
  },
};

/** Sends a person what proves that they read their mail or hold their phone. A failure is logged, without the code. */
export async function sendNotice(app: App, { kind, to, code }: Notice): Promise<void> {
  const { subject, body, path } = words[kind];
  const link = path === undefined ? '' : `${app.config.origin}${path}?oobCode=${encodeURIComponent(code)}`;
  const channel = path === undefined ? 'sms' : 'email';
  try {
    await app.db.transaction((tx) => queueMail(app, tx, [{ to, subject, body: body(code, link), channel }]));
  } catch (error) {
    app.log.error('A code could not be sent.', { kind, error: error instanceof Error ? error.message : String(error) });
  }
}
