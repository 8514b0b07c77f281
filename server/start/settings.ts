import { resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { IdentityConfig, ServerConfig } from '../config.ts';
import { isDemoProject } from '../identity/unsecured.ts';
import { parseOptions, UsageError } from '../options.mjs';
import { sealingKeyBytes } from '../secrets.ts';

/** Everything that the start was told, checked. */
export interface Settings {
  config: ServerConfig;
  /** Only tell which options there are. */
  help: boolean;
  host: string;
  port: number;
  /** Absolute path. */
  dataFolder: string;
  /** Empties the data folder first. */
  fresh: boolean;
  /** Devices of the demo fleet, when it is made. */
  devices: number;
  databaseUrl: string | undefined;
  /** Undefined: the data folder keeps one. */
  sealingKey: Buffer | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The project of the embedded provider; it exists nowhere else. */
const demoIdentity: IdentityConfig = { kind: 'embedded', project: 'demo-quarterdeck', apiKey: 'demo' };

/** @throws UsageError, with the sentence to show */
export function readSettings(argv: readonly string[], environment: Environment): Settings {
  const options = parseOptions(argv);
  const identity = identityFrom(environment);
  const demo = identity.kind === 'embedded';
  const databaseUrl = environment.DATABASE_URL || undefined;
  if (options.fresh && databaseUrl !== undefined) {
    throw new UsageError('--fresh empties the data folder, and DATABASE_URL says that the data is elsewhere.');
  }
  return {
    config: {
      version: manifest.version,
      build: environment.QUARTERDECK_BUILD ?? '',
      identity,
      demo,
      rate: demo ? options.rate : 0,
      allowLoopbackDeliveries: options['allow-loopback-deliveries'],
      sentryDsn: sentryDsnFrom(environment),
    },
    help: options.help,
    host: hostFrom(environment, demo),
    port: options.port,
    dataFolder: resolve(options.data),
    fresh: options.fresh,
    devices: options.devices,
    databaseUrl,
    sealingKey: sealingKeyFrom(environment),
  };
}

/** A Firebase project makes Google sign people in; without one, the embedded provider does, with made-up people. */
function identityFrom({ QUARTERDECK_FIREBASE_PROJECT, QUARTERDECK_FIREBASE_API_KEY }: Environment): IdentityConfig {
  const [project, apiKey] = [QUARTERDECK_FIREBASE_PROJECT, QUARTERDECK_FIREBASE_API_KEY];
  if (!project && !apiKey) return demoIdentity;
  if (!project || !apiKey) {
    throw new UsageError('Set both QUARTERDECK_FIREBASE_PROJECT and QUARTERDECK_FIREBASE_API_KEY, or neither.');
  }
  if (isDemoProject(project)) {
    throw new UsageError(`QUARTERDECK_FIREBASE_PROJECT is "${project}", and Google knows no project named "demo-…".`);
  }
  return { kind: 'google', project, apiKey };
}

const loopback: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

function hostFrom({ QUARTERDECK_HOST: host = '127.0.0.1' }: Environment, demo: boolean): string {
  // Whoever reaches the embedded provider can be anybody: its tokens are not signed.
  if (demo && !loopback.includes(host)) {
    throw new UsageError(
      `QUARTERDECK_HOST is "${host}", and the demo's sign-in is safe on 127.0.0.1 only: set a Firebase project first.`,
    );
  }
  return host;
}

function sentryDsnFrom({ SENTRY_DSN: dsn = '' }: Environment): string {
  if (dsn !== '' && !URL.canParse(dsn)) throw new UsageError('SENTRY_DSN is not a URL.');
  return dsn;
}

function sealingKeyFrom({ QUARTERDECK_SEALING_KEY: text }: Environment): Buffer | undefined {
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length === sealingKeyBytes) return key;
  throw new UsageError(`QUARTERDECK_SEALING_KEY must be ${sealingKeyBytes} bytes in base64, not ${key.length}.`);
}
