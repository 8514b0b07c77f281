import { createTransport } from 'nodemailer';

/** An email ready for the SMTP server. */
export interface OutgoingEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Without angle brackets; every attempt has the same id, so receivers can detect duplicates. */
  readonly messageId: string;
  readonly date: Date;
}

export interface MailTransport {
  /**
   * Sends an email.
   *
   * @throws Error from nodemailer; see {@link isPermanent}
   */
  send(email: OutgoingEmail): Promise<void>;
  close(): void;
}

/** The maximum number of connections, and the maximum number of emails in flight. */
export const MAX_IN_FLIGHT = 4;

/** Timeouts in milliseconds. A server can take up to a minute to check an email. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/**
 * Connects to an SMTP server.
 *
 * @param smtp `url` has the form `smtp://user:password@host:587`, or `smtps:` for TLS from the start; `from` is an
 *   address with an optional name, such as `Quarterdeck <desk@example.com>`
 */
export function smtpTransport({ url, from }: { url: string; from: string }): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: MAX_IN_FLIGHT,
    // Subject and text are never paths or URLs to fetch.
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
        // Ask for no automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    },
    close: () => transporter.close(),
  };
}

/** Returns the sender's domain, for message ids. */
export const domainOf = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';

/**
 * True if a retry would be useless because the server rejected this particular email (5xx). False if the server is
 * unreachable, is busy, or rejects us, which an administrator can fix.
 */
export function isPermanent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}
