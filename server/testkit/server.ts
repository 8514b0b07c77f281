import { randomBytes } from 'node:crypto';
import {
  create,
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  type DescService,
  type Message,
} from '@bufbuild/protobuf';
import {
  type Client,
  ConnectError,
  createClient,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import { UnsecuredJWT } from 'jose';
import type { App } from '#server/app/app.ts';
import type { ServerConfig } from '#server/base/config.ts';
import { demoPeople, type DemoPerson, type PersonKind } from '#server/demo/seed/people.ts';
import { seedDatabase } from '#server/demo/seed/seed.ts';
import { openTestDatabase } from './database.ts';
import { openEventBus } from '#server/events/bus.ts';
import { type TestAccounts, testAccounts } from './accounts.ts';
import { unsecuredVerifier } from '#server/demo/identity/unsecured.ts';
import { issuerOf } from '#server/identity/verifier.ts';
import { silentLog } from '#server/base/log.ts';
import { createRoutes, routerOptions } from '#server/http/rpc/routes.ts';
import { createSealer, SEALING_KEY_BYTES } from '#server/base/secrets.ts';
import { openActivityLog } from '#server/app/activity.ts';

const PROJECT = 'demo-test';

/** Somebody with clients of their own. */
export interface TestCaller {
  /** For what a bearer is needed for beyond a client. */
  readonly bearer: string | undefined;
  client<S extends DescService>(service: S): Client<S>;
}

/** The real server without its listener: all services on a database of their own, filled with the small seed. */
export interface TestServer {
  readonly app: App;
  /** The identity provider's side: what was asked of it. */
  readonly accounts: TestAccounts;
  /** A demo person of that kind, signed in. */
  as(kind: PersonKind): TestCaller;
  /** Somebody with that ID token or API token; without one, nobody. */
  with(bearer: string | undefined): TestCaller;
  /** Moves the server's clock forward. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly config?: Partial<ServerConfig>;
  /** Devices of the demo organization; the small seed has 48. */
  readonly devices?: number;
  /** Without the seed: no organization, and nobody. */
  readonly empty?: boolean;
}

/**
 * Starts a server for one test file, on in-memory PGlite or on a fresh database of TEST_DATABASE_URL:
 *
 *     const t = await startTestServer();
 *     const tags = t.as('operator').client(TagService);
 */
export async function startTestServer({ config, devices, empty = false }: TestServerOptions = {}): Promise<TestServer> {
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const db = await openTestDatabase(now());
  const secrets = createSealer(randomBytes(SEALING_KEY_BYTES));
  if (!empty) await seedDatabase(db, { size: 'small', devices, now: now(), secrets });
  const accounts = testAccounts(demoPeople.map(({ email }) => email));
  const activity = openActivityLog({ db, log: silentLog, now });
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
      ...config,
    },
    db,
    bus: await openEventBus(db, silentLog),
    identity: unsecuredVerifier(PROJECT),
    accounts,
    secrets,
    log: silentLog,
    activity,
    now,
  };
  const callerWith = (bearer: string | undefined): TestCaller => {
    const transport = transportFor(app, bearer);
    return { bearer, client: (service) => createClient(service, transport) };
  };
  return {
    app,
    accounts,
    as: (kind) => callerWith(idTokenOf(demoPerson(kind))),
    with: callerWith,
    advance: (milliseconds) => void (ahead += milliseconds),
    async close() {
      await activity.close();
      await app.bus.close();
      await db.close();
    },
  };
}

const neverStopping = new AbortController().signal;

/** The real routes with the real interceptors, called without a network. */
export function transportFor(app: App, bearer: string | undefined): Transport {
  const authorize: Interceptor = (next) => (request) => {
    if (bearer !== undefined) request.header.set('authorization', `bearer ${bearer}`);
    return next(request);
  };
  return createRouterTransport(createRoutes(app, neverStopping), {
    transport: { interceptors: [authorize] },
    router: routerOptions(app),
  });
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
  /** Seconds; an hour when left out. Negative makes it an expired one. */
  readonly lifetime?: number;
  /** The project that it is meant for. */
  readonly audience?: string;
  /** True when left out. */
  readonly emailVerified?: boolean;
  /** The provider's name for how the person signed in; `password` when left out. */
  readonly provider?: string;
  /** The sign-in took a second factor besides. */
  readonly secondFactor?: boolean;
  /** When the person signed in; now when left out. */
  readonly authTime?: Date;
}

/** An ID token as the embedded identity provider issues them. */
export function idTokenOf(identity: TestIdentity): string {
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

/** A refusal takes the server a moment; a stream that has said nothing by then is open. */
const REFUSED_WITHIN_MS = 1000;
/** Asks a stream for a first message as soon as it is open. */
const streamHeaders = { 'quarterdeck-keep-alive': '25' };

/**
 * Calls any rpc, with an empty message unless told otherwise.
 *
 * @returns what it was refused with; undefined when it was answered
 */
export async function refusalOf(
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
    const silence = setTimeout(() => stop.abort(), REFUSED_WITHIN_MS);
    const messages = (async function* () {
      yield request;
    })();
    const streaming = method as DescMethodStreaming;
    const { message } = await transport.stream(streaming, stop.signal, undefined, streamHeaders, messages);
    await Promise.race([
      message[Symbol.asyncIterator]().next(),
      new Promise((resolve) => stop.signal.addEventListener('abort', resolve)),
    ]);
    clearTimeout(silence);
    stop.abort();
    return undefined;
  } catch (error) {
    return ConnectError.from(error);
  }
}
