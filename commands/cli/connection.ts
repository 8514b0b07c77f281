import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';

import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { organizationNameInterceptor } from '#commands/session/name-organization.ts';
import { loadUserSession, type UserSession } from '#commands/session/user-session.ts';
import { message } from '#commands/text/message.ts';

import type { Io } from './io.ts';
import { readLogin, type Login } from './login-file.ts';
import type { Globals } from './options.ts';
import { UsageError } from './usage-error.ts';

export const CLIENT_NAME = 'quarterdeck-cli';
/** The contract version that both clients send (spec 9). */
export const CLIENT_VERSION = '0.261.0';

/** The URL of a server started with `npm start`. */
export const DEFAULT_SERVER = 'http://127.0.0.1:7878';

export type Api = Context['api'];

/** Finds the server and token in the options, then in the environment, then in the login that `login` saved. */
export function findLogin(globals: Globals, io: Io): Partial<Login> & Pick<Login, 'server'> {
  const savedLogin = readLogin(io);
  const server = globals.server ?? (io.env['QUARTERDECK_SERVER'] || undefined) ?? savedLogin?.server ?? DEFAULT_SERVER;
  // A saved token is never sent to another server.
  const savedToken = savedLogin && sameServer(savedLogin.server, server) ? savedLogin.token : undefined;
  return { server, token: globals.token ?? (io.env['QUARTERDECK_TOKEN'] || undefined) ?? savedToken };
}

function sameServer(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

/** Removes trailing slashes, so URLs for the same server compare equal. */
export function withoutSlash(server: string): string {
  return server.replace(/\/+$/, '');
}

export function isServerAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A token is sent in a header, so it must be printable ASCII without spaces. */
const VALID_TOKEN = /^[\x21-\x7e]+$/;

/**
 * Creates clients for a server. They use gRPC-web, as the console does. `userSession` returns undefined until the
 * caller and the session have been loaded.
 *
 * @throws CommandError for an invalid server URL or token.
 */
export function connect({ server, token }: Login, userSession: () => UserSession | undefined = () => undefined): Api {
  if (!isServerAddress(server)) {
    throw new UsageError(message('core:cli.login.notAnAddress', { server }));
  }
  if (!VALID_TOKEN.test(token)) throw new UsageError(message('core:cli.login.notAToken'));
  const identify: Interceptor = (next) => (request) => {
    request.header.set('authorization', `bearer ${token}`);
    request.header.set('x-client-name', CLIENT_NAME);
    request.header.set('x-client-version', CLIENT_VERSION);
    return next(request);
  };
  const transport = createGrpcWebTransport({
    baseUrl: withoutSlash(server),
    httpVersion: '1.1',
    interceptors: [organizationNameInterceptor(() => userSession()?.organization), identify],
  });
  const clients = new Map<DescService, Client<DescService>>();
  return <S extends DescService>(service: S): Client<S> => {
    let client = clients.get(service);
    if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
    return client as Client<S>;
  };
}

/** Returns the organization from the options or the environment, if any. */
export function requestedOrganization(globals: Globals, io: Io): string | undefined {
  return globals.org ?? (io.env['QUARTERDECK_ORG'] || undefined);
}

/** Thrown if no option, environment variable, or saved login has a token for the server. */
export class NotSignedInError extends CommandError {
  constructor(server: string, program: string) {
    super(message('core:cli.login.none', { server, program }));
  }
}

export interface Session {
  readonly server: string;
  readonly token: string;
  readonly api: Api;
  readonly userSession: UserSession;
}

/**
 * Connects to the server and loads the caller.
 *
 * @throws NotSignedInError if there is no token for the server
 * @throws ConnectError if the server rejects the call or cannot be reached
 */
export async function openSession(globals: Globals, io: Io): Promise<Session> {
  const { server, token } = findLogin(globals, io);
  if (!token) throw new NotSignedInError(server, io.program);
  const session: { userSession?: UserSession } = {};
  const api = connect({ server, token }, () => session.userSession);
  const userSession = await loadUserSession(api, requestedOrganization(globals, io));
  session.userSession = userSession;
  return { server, token, api, userSession };
}

/** Creates the context for one run, with a cache for reference data. */
export function createContext(
  { api, userSession }: Session,
  io: Io,
  host: Partial<HostCapabilities>,
  progress: Context['progress'],
): Context {
  const cache = new Map<string, Promise<unknown>>();
  const context: Context = {
    api,
    actor: userSession.actor,
    organization: userSession.organization,
    preferences: userSession.preferences,
    focus: undefined,
    host,
    signal: io.signal,
    progress,
    now: () => new Date(),
    loadCached: <T>(key: string, load: (shared: Context) => Promise<T>): Promise<T> => {
      let value = cache.get(key);
      if (!value) cache.set(key, (value = load(context)));
      return value as Promise<T>;
    },
  };
  return context;
}
