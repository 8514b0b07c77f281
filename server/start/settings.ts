import { resolve } from 'node:path';

import type { IdentityConfig, ServerConfig, SignInMethod } from '#server/base/config.ts';
import { parseOptions, UsageError } from '#server/base/options.mjs';
import { SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { isDemoProject } from '#server/demo/identity/unsecured.ts';

import manifest from '../../package.json' with { type: 'json' };

/** The checked settings of a start. */
export interface Settings {
  readonly config: ServerConfig;
  /** True to only list the options. */
  readonly help: boolean;
  readonly host: string;
  readonly port: number;
  /** An absolute path. */
  readonly dataFolder: string;
  /** True to empty the data folder first. */
  readonly fresh: boolean;
  /** Devices of the demo fleet when it is created. */
  readonly devices: number;
  readonly databaseUrl: string | undefined;
  /** Undefined if the key is in the data folder. */
  readonly sealingKey: Buffer | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The project of the embedded provider; it does not exist at Google. */
const demoIdentity: IdentityConfig = { kind: 'embedded', project: 'demo-quarterdeck', apiKey: 'demo' };

/**
 * Reads the settings from the arguments and the environment.
 *
 * @throws UsageError, with the sentence to show
 */
export function readSettings(argv: readonly string[], environment: Environment): Settings {
  const options = parseOptions(argv);
  const identity = identityFrom(environment);
  const demo = identity.kind === 'embedded';
  const databaseUrl = environment.DATABASE_URL || undefined;
  if (options.fresh && databaseUrl !== undefined) {
    throw new UsageError('--fresh empties the data folder, but DATABASE_URL puts the data elsewhere.');
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
      origin: originFrom(environment),
      signIn: signInFrom(environment),
      smtp: smtpFrom(environment),
      helpDesk: helpDeskFrom(environment),
      corsOrigins: corsOriginsFrom(environment),
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

/**
 * Reads which identity provider to use: Google's with a Firebase project, or else the embedded provider with fictional
 * people.
 */
function identityFrom({ QUARTERDECK_FIREBASE_PROJECT, QUARTERDECK_FIREBASE_API_KEY }: Environment): IdentityConfig {
  const [project, apiKey] = [QUARTERDECK_FIREBASE_PROJECT, QUARTERDECK_FIREBASE_API_KEY];
  if (!project && !apiKey) return demoIdentity;
  if (!project || !apiKey) {
    throw new UsageError('Set both QUARTERDECK_FIREBASE_PROJECT and QUARTERDECK_FIREBASE_API_KEY, or neither.');
  }
  if (isDemoProject(project)) {
    throw new UsageError(`QUARTERDECK_FIREBASE_PROJECT is "${project}", but "demo-…" projects do not exist at Google.`);
  }
  return { kind: 'google', project, apiKey };
}

const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

function hostFrom({ QUARTERDECK_HOST: host = '127.0.0.1' }: Environment, demo: boolean): string {
  // Anyone who reaches the embedded provider can impersonate anyone: its tokens are not signed.
  if (demo && !LOOPBACK_HOSTS.includes(host)) {
    throw new UsageError(
      `QUARTERDECK_HOST is "${host}", but the demo's sign-in is only safe on 127.0.0.1. Set a Firebase project first.`,
    );
  }
  return host;
}

function sentryDsnFrom({ SENTRY_DSN: dsn = '' }: Environment): string {
  if (dsn !== '' && !URL.canParse(dsn)) throw new UsageError('SENTRY_DSN is not a URL.');
  return dsn;
}

/** Reads the origin. Empty means this server's own URL, which is known once it listens. */
function originFrom({ QUARTERDECK_ORIGIN: origin = '' }: Environment): string {
  if (origin === '') return '';
  if (!URL.canParse(origin)) throw new UsageError(`QUARTERDECK_ORIGIN is "${origin}", which is not a URL.`);
  return new URL(origin).origin;
}

const signInMethods: readonly SignInMethod[] = ['password', 'token', 'google'];

function signInFrom({ QUARTERDECK_SIGN_IN: text = signInMethods.join(',') }: Environment): ReadonlySet<SignInMethod> {
  const methods = text.split(',').map((part) => part.trim());
  const invalid = methods.find((value) => !(signInMethods as readonly string[]).includes(value));
  if (invalid === undefined) return new Set(methods as SignInMethod[]);
  throw new UsageError(
    `QUARTERDECK_SIGN_IN names "${invalid}"; expected ${signInMethods.join(', ')}, separated by commas.`,
  );
}

function smtpFrom({ SMTP_URL: url, QUARTERDECK_MAIL_FROM: from }: Environment): ServerConfig['smtp'] {
  if (!url) return undefined;
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol)) {
    throw new UsageError('SMTP_URL must be a URL such as smtp://user:password@host:587.');
  }
  if (!from) throw new UsageError('SMTP_URL requires QUARTERDECK_MAIL_FROM, the sender of emails.');
  return { url, from };
}

function helpDeskFrom(environment: Environment): ServerConfig['helpDesk'] {
  const [url, secret] = [environment.QUARTERDECK_HELP_DESK_URL, environment.QUARTERDECK_HELP_DESK_SECRET];
  if (!url && !secret) return undefined;
  if (!url || !secret) {
    throw new UsageError('Set both QUARTERDECK_HELP_DESK_URL and QUARTERDECK_HELP_DESK_SECRET, or neither.');
  }
  if (!URL.canParse(url)) throw new UsageError(`QUARTERDECK_HELP_DESK_URL is "${url}", which is not a URL.`);
  return { url, secret };
}

/** Reads exact origins, separated by commas. Refuses wildcards, and anything that no browser would send as `Origin`. */
function corsOriginsFrom({ QUARTERDECK_CORS_ORIGINS: text = '' }: Environment): ReadonlySet<string> {
  const parts = text.split(',').map((part) => part.trim());
  const origins = parts.filter((value) => value !== '');
  const invalid = origins.find((origin) => !isOrigin(origin));
  if (invalid === undefined) return new Set(origins);
  throw new UsageError(
    `QUARTERDECK_CORS_ORIGINS names "${invalid}"; expected origins like https://console.example.com, separated by commas.`,
  );
}

/** True if written as by a browser: scheme, host in lower case, a non-default port, and nothing after it. */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;

function sealingKeyFrom({ QUARTERDECK_SEALING_KEY: text }: Environment): Buffer | undefined {
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length === SEALING_KEY_BYTES) return key;
  throw new UsageError(`QUARTERDECK_SEALING_KEY must be ${SEALING_KEY_BYTES} bytes in base64, not ${key.length}.`);
}
