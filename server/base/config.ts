/** How this server runs, settled once at start from options and environment. */
export interface ServerConfig {
  /** Release, as in package.json. */
  readonly version: string;
  /** Commit it was built from; empty when unknown. */
  readonly build: string;
  readonly identity: IdentityConfig;
  /** Seeded with made-up organizations and people, whose passwords are public. */
  readonly demo: boolean;
  /** Messages per second that the simulated fleet sends; 0 keeps it silent. */
  readonly rate: number;
  /** Deliveries may go to loopback addresses, which are refused otherwise; private networks are refused always. */
  readonly allowLoopbackDeliveries: boolean;
  /** Where the console reports its errors; empty means nowhere. */
  readonly sentryDsn: string;
  /** Address that people open the console at, without a slash at the end: where links in mails lead. */
  readonly origin: string;
  /** The ways in that are offered (spec 6: PASSWORD_AUTH, TOKEN_AUTH; and a Google account). */
  readonly signIn: ReadonlySet<SignInMethod>;
  /** Where mails are handed in; undefined keeps them in the outbox. */
  readonly smtp: { url: string; from: string } | undefined;
  /** The support desk that SingleSignOnService signs people in to: its address and the secret shared with it. */
  helpDesk: { url: string; secret: string } | undefined;
  /** Origins of consoles hosted elsewhere, whose pages may call rpcs (CORS). */
  readonly corsOrigins: ReadonlySet<string>;
}

export type SignInMethod = 'password' | 'token' | 'google';

/** Who says who somebody is: the emulator that this server runs itself, or a Firebase project at Google. */
export type IdentityConfig =
  | { kind: 'embedded'; project: string; apiKey: string }
  | { kind: 'google'; project: string; apiKey: string };
