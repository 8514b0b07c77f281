import { createTransport } from 'nodemailer';

/** A mail as it is handed to the SMTP server. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets; the same at every attempt, so that receivers know a repeated mail. */
  readonly messageId: string;
  readonly date: Date;
}

export interface MailTransport {
  /** @throws Error as nodemailer makes it; see {@link isFinal} */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** Connections at once, and mails under way. */
export const MAILS_AT_ONCE = 4;

/** Milliseconds: a server that is slow in looking at a mail is given a minute. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/**
 * Hands mails to an SMTP server.
 *
 * @param smtp `url` as `smtp://user:password@host:587`, `smtps:` for TLS from the start; `from` an address, or a name
 *   with one: `Quarterdeck <desk@example.com>`
 */
export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // Texts are only ever text, never something to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
  return {
    async send({ to, subject, text, messageId, date }) {
      await transporter.sendMail({
        from,
        // As an object it is one address, whatever commas stand in it.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}>`,
        date,
        // RFC 3834: no answers of absence to what no person wrote.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transporter.close(),
  };
}

/** The domain that message ids are made in: that of the sender. */
export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/**
 * Whether trying again is of no use: the server refused this mail for good (a 5xx answer to it), as opposed to being
 * out of reach, busy, or refusing us, which somebody can put right.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
