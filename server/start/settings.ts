import { resolve } from 'node:path';

import type { IdentityConfig, ServerConfig } from '#server/base/config.ts';
import { parseOptions, UsageError } from '#server/base/options.mjs';

import manifest from '../../package.json' with { type: 'json' };
import { type Environment, quote, readEnvironment } from './environment.ts';

/** The validated settings of the server. */
export interface Settings {
  readonly config: ServerConfig;
  /** True to print the options and exit. */
  readonly help: boolean;
  readonly host: string;
  readonly port: number;
  /** An absolute path. */
  readonly dataFolder: string;
  /** True to empty the data folder first. */
  readonly fresh: boolean;
  /** The number of devices in a new demo fleet. */
  readonly devices: number;
  readonly databaseUrl: string | undefined;
  /** Undefined if the key is in the data folder. */
  readonly sealingKey: Buffer | undefined;
}

/** The project of the embedded provider; it does not exist at Google. */
const DEMO_IDENTITY: IdentityConfig = { kind: 'embedded', project: 'demo-quarterdeck', apiKey: 'demo' };

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * Reads the settings from the arguments and the environment.
 *
 * @throws UsageError with the sentences to show
 */
export function readSettings(argv: readonly string[], environment: Environment): Settings {
  const options = parseOptions(argv);
  const values = readEnvironment(environment);
  const { QUARTERDECK_FIREBASE_PROJECT: project, QUARTERDECK_FIREBASE_API_KEY: apiKey } = values;
  const { SMTP_URL: smtp, QUARTERDECK_MAIL_FROM: from } = values;
  const { QUARTERDECK_HELP_DESK_URL: helpDesk, QUARTERDECK_HELP_DESK_SECRET: secret } = values;
  const { QUARTERDECK_HOST: host, DATABASE_URL: databaseUrl } = values;
  // With a Firebase project, Google signs users in; without one, the embedded provider does, with fictional users.
  const identity: IdentityConfig = project && apiKey ? { kind: 'google', project, apiKey } : DEMO_IDENTITY;
  const demo = identity.kind === 'embedded';
  // Anyone who can reach the embedded provider can impersonate anyone: its tokens aren't signed.
  if (demo && !LOOPBACK_HOSTS.includes(host)) {
    throw new UsageError(
      `QUARTERDECK_HOST is ${quote(host)}, but the demo's sign-in is only safe on 127.0.0.1. Set a Firebase project first.`,
    );
  }
  if (options.fresh && databaseUrl !== undefined) {
    throw new UsageError('--fresh empties the data folder, but DATABASE_URL puts the data elsewhere.');
  }
  return {
    config: {
      version: manifest.version,
      build: values.QUARTERDECK_BUILD ?? '',
      identity,
      demo,
      rate: demo ? options.rate : 0,
      allowLoopbackDeliveries: options['allow-loopback-deliveries'],
      sentryDsn: values.SENTRY_DSN ?? '',
      // If empty, use the server's own URL, which is known only once it listens.
      origin: values.QUARTERDECK_ORIGIN ?? '',
      signIn: values.QUARTERDECK_SIGN_IN,
      smtp: smtp && from ? { url: smtp, from } : undefined,
      helpDesk: helpDesk && secret ? { url: helpDesk, secret } : undefined,
      corsOrigins: values.QUARTERDECK_CORS_ORIGINS,
      exportPace: values.QUARTERDECK_EXPORT_PACE,
      neutralizesFormulas: values.QUARTERDECK_EXPORT_FORMULAS === 'neutralize',
    },
    help: options.help,
    host,
    port: options.port,
    dataFolder: resolve(options.data),
    fresh: options.fresh,
    devices: options.devices,
    databaseUrl,
    sealingKey: values.QUARTERDECK_SEALING_KEY,
  };
}
