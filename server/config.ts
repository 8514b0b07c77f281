/** How this server runs, settled once at start from options and environment. */
export interface ServerConfig {
  /** Release, as in package.json. */
  version: string;
  /** Commit it was built from; empty when unknown. */
  build: string;
  identity: IdentityConfig;
  /** Seeded with made-up organizations and people, whose passwords are public. */
  demo: boolean;
  /** Messages per second that the simulated fleet sends; 0 keeps it silent. */
  rate: number;
  /** Deliveries may go to loopback addresses, which are refused otherwise; private networks are refused always. */
  allowLoopbackDeliveries: boolean;
  /** Where the console reports its errors; empty means nowhere. */
  sentryDsn: string;
}

/** Who says who somebody is: the emulator that this server runs itself, or a Firebase project at Google. */
export type IdentityConfig =
  | { kind: 'embedded'; project: string; apiKey: string }
  | { kind: 'google'; project: string; apiKey: string };
