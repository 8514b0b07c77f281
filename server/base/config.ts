/** The configuration of this server, read once at startup from options and environment. */
export interface ServerConfig {
  /** The version in package.json. */
  readonly version: string;
  /** The commit it was built from; empty if unknown. */
  readonly build: string;
  readonly identity: IdentityConfig;
  /** True if seeded with fictional organizations and users, whose passwords are public. */
  readonly demo: boolean;
  /** Messages per second sent by the simulated fleet; 0 turns it off. */
  readonly rate: number;
  /**
   * Allows deliveries to loopback addresses, which are otherwise refused. Deliveries to private networks are always
   * refused.
   */
  readonly allowLoopbackDeliveries: boolean;
  /** The URL that receives the console's error reports; empty if there is none. */
  readonly sentryDsn: string;
  /** The console's public URL, without a trailing slash; links in emails start with it. */
  readonly origin: string;
  /** The sign-in methods offered: a password, a token (spec 6: PASSWORD_AUTH, TOKEN_AUTH), a Google account. */
  readonly signIn: ReadonlySet<SignInMethod>;
  /** The SMTP server; without one, emails stay in the outbox. */
  readonly smtp: { url: string; from: string } | undefined;
  /** The support desk that SingleSignOnService signs users in to: its URL and the shared secret. */
  helpDesk: { url: string; secret: string } | undefined;
  /** Origins of consoles hosted elsewhere, whose pages may call RPCs (CORS). */
  readonly corsOrigins: ReadonlySet<string>;
}

export type SignInMethod = 'password' | 'token' | 'google';

/** The identity provider: the emulator that this server runs itself, or a Firebase project at Google. */
export type IdentityConfig =
  | { kind: 'embedded'; project: string; apiKey: string }
  | { kind: 'google'; project: string; apiKey: string };
