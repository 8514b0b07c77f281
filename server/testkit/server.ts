import { randomBytes } from 'node:crypto';

import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  type Message,
} from '@bufbuild/protobuf';
import { type Client, ConnectError, createClient, createRouterTransport, type Transport } from '@connectrpc/connect';
import { UnsecuredJWT } from 'jose';

import { openActivityLog } from '#server/app/activity.ts';
import type { App } from '#server/app/app.ts';
import type { ServerConfig } from '#server/base/config.ts';
import { disablePretenuring } from '#server/base/heap.ts';
import { silentLog } from '#server/base/log.ts';
import { createSealer, type Sealer, SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { findRootOrganization } from '#server/db/root-organization.ts';
import { unsecuredVerifier } from '#server/demo/identity/unsecured.ts';
import { demoPeople, type DemoPerson, type PersonKind } from '#server/demo/seed/people.ts';
import { seedDatabase } from '#server/demo/seed/seed.ts';
import { openEventBus } from '#server/events/bus.ts';
import { createRoutes, routerOptions } from '#server/http/rpc/routes.ts';
import { issuerOf } from '#server/identity/verifier.ts';
import { openParsing } from '#server/parsing/parsing.ts';

import { type TestAccounts, testAccounts } from './accounts.ts';
import { openDatabaseOnDisk, openTestDatabase } from './database.ts';

const PROJECT = 'demo-test';

/** A caller with their own clients. */
export interface TestCaller {
  /** The bearer token, for calls without a client. */
  readonly bearer: string | undefined;
  client<S extends DescService>(service: S): Client<S>;
}

/** A server without a network listener. It has all services, and its own database with the small seed. */
export interface TestServer {
  readonly app: App;
  /** The accounts at the fake identity provider, which records calls. */
  readonly accounts: TestAccounts;
  /** Returns a signed-in demo user of the given kind. */
  as(kind: PersonKind): TestCaller;
  /** Returns a caller with the given ID token or API token, or an anonymous caller. */
  with(bearer: string | undefined): TestCaller;
  /** Moves the server's clock forward. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly config?: Partial<ServerConfig>;
  /** The number of devices in the demo organization; 48 by default. */
  readonly devices?: number;
  /** True to start without seed data, so there are no organizations or users. */
  readonly isEmpty?: boolean;
  /** A folder for the database; in memory by default. */
  readonly folder?: string;
  /** Encrypts secrets; with a new key by default. */
  readonly secrets?: Sealer;
}

/**
 * Starts a server for one test file, on in-memory PGlite or on a new database at TEST_DATABASE_URL:
 *
 *     const t = await startTestServer();
 *     const tags = t.as('operator').client(TagService);
 */
export async function startTestServer({
  config,
  devices,
  isEmpty = false,
  folder,
  secrets = createSealer(randomBytes(SEALING_KEY_BYTES)),
}: TestServerOptions = {}): Promise<TestServer> {
  disablePretenuring();
  let clockOffset = 0;
  const now = () => new Date(Date.now() + clockOffset);
  const db = folder === undefined ? await openTestDatabase(now()) : await openDatabaseOnDisk(folder, now());
  if (!isEmpty) await seedDatabase(db, { size: 'small', devices, now: now(), secrets });
  const accounts = testAccounts(demoPeople.map(({ email }) => email));
  const activity = openActivityLog({ db, log: silentLog, now });
  const parsing = openParsing((organization) => findRootOrganization(db.orm, organization));
  const app: App = {
    config: {
      version: '0.0.0-test',
      build: '',
      identity: { kind: 'embedded', project: PROJECT, apiKey: 'test' },
      demo: true,
      rate: 0,
      allowLoopbackDeliveries: true,
      sentryDsn: '',
      origin: 'http://127.0.0.1:7878',
      signIn: new Set(['password', 'token', 'google']),
      smtp: undefined,
      helpDesk: undefined,
      corsOrigins: new Set(),
      exportPace: { rows: 250, pauseMs: 0 },
      neutralizesFormulas: true,
      ...config,
    },
    db,
    bus: await openEventBus(db, silentLog),
    identity: unsecuredVerifier(PROJECT),
    accounts,
    secrets,
    log: silentLog,
    activity,
    parsing,
    now,
  };
  const callerWith = (bearer: string | undefined): TestCaller => {
    const transport = transportFor(app, bearer);
    return { bearer, client: (service) => createClient(service, transport) };
  };
  return {
    app,
    accounts,
    as: (kind) => callerWith(createIdToken(demoPerson(kind))),
    with: callerWith,
    advance: (milliseconds) => void (clockOffset += milliseconds),
    async close() {
      await activity.close();
      await parsing.close();
      await app.bus.close();
      await db.close();
    },
  };
}

const neverAborted = new AbortController().signal;

/**
 * The transports without a bearer token, keyed by server. They are shared because building the routes takes 20 ms, and
 * some tests have hundreds of callers.
 */
const anonymousTransports = new WeakMap<App, Transport>();

function anonymousTransport(app: App): Transport {
  const existing = anonymousTransports.get(app);
  if (existing !== undefined) return existing;
  const transport = createRouterTransport(createRoutes(app, neverAborted), { router: routerOptions(app) });
  anonymousTransports.set(app, transport);
  return transport;
}

/** Creates a transport that calls the real routes and interceptors without a network. */
export function transportFor(app: App, bearer: string | undefined): Transport {
  const anonymous = anonymousTransport(app);
  if (bearer === undefined) return anonymous;
  const withBearer = (headers: HeadersInit | undefined): Headers => {
    const result = new Headers(headers);
    result.set('authorization', `bearer ${bearer}`);
    return result;
  };
  return {
    unary: (method, signal, timeout, headers, ...rest) =>
      anonymous.unary(method, signal, timeout, withBearer(headers), ...rest),
    stream: (method, signal, timeout, headers, ...rest) =>
      anonymous.stream(method, signal, timeout, withBearer(headers), ...rest),
  };
}

export function demoPerson(kind: PersonKind): DemoPerson {
  const person = demoPeople.find((demoPerson) => demoPerson.kind === kind);
  if (person === undefined) throw new Error(`The demo has no ${kind}.`);
  return person;
}

export interface TestIdentity {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The token's lifetime in seconds; an hour by default. If it is negative, the token has expired. */
  readonly lifetime?: number;
  /** The project that the token is meant for. */
  readonly audience?: string;
  /** True by default. */
  readonly emailVerified?: boolean;
  /** The provider's name for the sign-in method; `password` by default. */
  readonly provider?: string;
  /** True if the sign-in used a second factor. */
  readonly secondFactor?: boolean;
  /** The time of the sign-in; now by default. */
  readonly authTime?: Date;
}

/** Creates an ID token in the format of the embedded identity provider. */
export function createIdToken(identity: TestIdentity): string {
  const { id, email, name, lifetime = 3600, audience = PROJECT, emailVerified = true } = identity;
  const { provider = 'password', secondFactor = false, authTime } = identity;
  const now = Math.floor(Date.now() / 1000);
  return new UnsecuredJWT({
    email,
    email_verified: emailVerified,
    name,
    auth_time: authTime === undefined ? now : Math.floor(authTime.getTime() / 1000),
    firebase: { sign_in_provider: provider, ...(secondFactor ? { sign_in_second_factor: 'totp' } : {}) },
  })
    .setSubject(id)
    .setIssuer(issuerOf(audience))
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .encode();
}

/** How long the server may take to deny a stream. One that is silent for longer is open. */
const REFUSAL_TIMEOUT_MS = 1000;
/** Makes a stream send a first message as soon as it is open. */
const streamHeaders = { 'quarterdeck-keep-alive': '25' };

/**
 * Calls any rpc, by default with an empty message.
 *
 * @returns the error; undefined if the call succeeded
 */
export async function captureError(
  transport: Transport,
  method: DescMethod,
  request: Message = create(method.input),
): Promise<ConnectError | undefined> {
  try {
    if (method.methodKind === 'unary') {
      await transport.unary(method as DescMethodUnary, undefined, undefined, undefined, request);
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), REFUSAL_TIMEOUT_MS);
    const messages = (async function* () {
      yield request;
    })();
    const streaming = method as DescMethodStreaming;
    const { message } = await transport.stream(streaming, stop.signal, undefined, streamHeaders, messages);
    await Promise.race([
      message[Symbol.asyncIterator]().next(),
      new Promise((resolve) => stop.signal.addEventListener('abort', resolve)),
    ]);
    clearTimeout(timer);
    stop.abort();
    return undefined;
  } catch (error) {
    return ConnectError.from(error);
  }
}
