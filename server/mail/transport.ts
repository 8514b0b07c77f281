import { createTransport } from 'nodemailer';

/** A mail in the form that the SMTP server gets. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets; every attempt has the same id, so receivers can detect duplicates. */
  readonly messageId: string;
  readonly date: Date;
}

export interface MailTransport {
  /** @throws Error from nodemailer; see {@link isFinal} */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The number of concurrent connections, and of mails in flight. */
export const MAILS_AT_ONCE = 4;

/** Milliseconds: a server that takes its time to check a mail gets a minute. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/**
 * Sends mails through an SMTP server.
 *
 * @param smtp `url` as `smtp://user:password@host:587`, `smtps:` for TLS from the start; `from` an address, or a name
 *   with one: `Quarterdeck <desk@example.com>`
 */
export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: MAILS_AT_ONCE,
    // Texts are never references to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...timeouts,
  });
  return {
    async send({ to, subject, text, messageId, date }) {
      await transporter.sendMail({
        from,
        // An object counts as a single address, even with commas in it.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${messageId}>`,
        date,
        // RFC 3834: asks for no out-of-office replies to automatic mail.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transporter.close(),
  };
}

/** The domain of message ids: that of the sender. */
export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/**
 * True if a retry is useless: the server refused this mail for good (a 5xx response to it). False if it is unreachable,
 * busy, or refuses us, which someone can fix.
 */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
