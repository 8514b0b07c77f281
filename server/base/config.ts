/** The configuration of this server, read once at startup from the options and the environment. */
export interface ServerConfig {
  /** The version in package.json. */
  readonly version: string;
  /** The commit that the server was built from, or empty if it is unknown. */
  readonly build: string;
  readonly identity: IdentityConfig;
  /** True if this is a demo with fictional organizations and users, whose passwords are public. */
  readonly demo: boolean;
  /** The number of messages per second from the simulated fleet. 0 turns the simulation off. */
  readonly rate: number;
  /** Allows deliveries to loopback addresses, which are blocked otherwise. Private networks are always blocked. */
  readonly allowLoopbackDeliveries: boolean;
  /** The URL that receives the console's error reports, or empty if there is none. */
  readonly sentryDsn: string;
  /** The console's public URL, without a trailing slash. Links in emails start with it. */
  readonly origin: string;
  /** The available sign-in methods: a password, a token (spec 6: PASSWORD_AUTH, TOKEN_AUTH), or a Google account. */
  readonly signIn: ReadonlySet<SignInMethod>;
  /** The SMTP server. If there is none, emails stay in the outbox. */
  readonly smtp: { url: string; from: string } | undefined;
  /** The URL and shared secret of the help desk that SingleSignOnService signs users in to. */
  helpDesk: { url: string; secret: string } | undefined;
  /** The origins of consoles hosted elsewhere that are allowed to call RPCs (CORS). */
  readonly corsOrigins: ReadonlySet<string>;
  /** How fast exports are written: so many rows, and then a pause. */
  readonly exportPace: ExportPace;
  /** True to write text in CSV files so that no spreadsheet runs it as a formula. */
  readonly neutralizesFormulas: boolean;
}

export interface ExportPace {
  readonly rows: number;
  readonly pauseMs: number;
}

export type SignInMethod = 'password' | 'token' | 'google';

/** The identity provider: the emulator that this server runs, or a Firebase project at Google. */
export type IdentityConfig =
  | { kind: 'embedded'; project: string; apiKey: string }
  | { kind: 'google'; project: string; apiKey: string };
