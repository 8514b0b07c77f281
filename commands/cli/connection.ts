import type { DescService } from '@bufbuild/protobuf';
import { createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';

import { loadActing, type Acting } from '#commands/session/acting.ts';
import type { Context } from '#commands/model/context.ts';
import { CommandError } from '#commands/model/errors.ts';
import type { HostCapabilities } from '#commands/model/host.ts';
import { message } from '#commands/text/message.ts';
import type { Globals } from './options.ts';
import type { Io } from './io.ts';
import { readLogin, type Login } from './login-file.ts';
import { WrongLine } from './wrong-line.ts';

const CLIENT_NAME = 'quarterdeck-cli';
/** Of the contract that both clients speak (spec 9). */
const CLIENT_VERSION = '0.261.0';

/** Where `npm start` listens. */
export const DEFAULT_SERVER = 'http://127.0.0.1:7878';

export type Api = Context['api'];

/** Which server and as whom: flags, then the environment, then what `quarterdeck login` saved for that server. */
export function findLogin(globals: Globals, io: Io): Partial<Login> & Pick<Login, 'server'> {
  const saved = readLogin(io);
  const server = globals.server ?? (io.env['QUARTERDECK_SERVER'] || undefined) ?? saved?.server ?? DEFAULT_SERVER;
  // A token is for one server: it is not shown to another.
  const own = saved && sameServer(saved.server, server) ? saved.token : undefined;
  return { server, token: globals.token ?? (io.env['QUARTERDECK_TOKEN'] || undefined) ?? own };
}

function sameServer(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b);
}

/** A slash at the end makes no other server. */
export function withoutSlash(server: string): string {
  return server.replace(/\/+$/, '');
}

export function isServerAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** A token travels in a header: printable ASCII without spaces. */
const SENDABLE = /^[\x21-\x7e]+$/;

/**
 * The clients of a server, over gRPC-web as the console's.
 * @throws CommandError for what is no address of a server, or no token.
 */
export function connect({ server, token }: Login): Api {
  if (!isServerAddress(server)) {
    throw new WrongLine(message('core:cli.login.notAnAddress', { server }));
  }
  if (!SENDABLE.test(token)) throw new WrongLine(message('core:cli.login.notAToken'));
  const identify: Interceptor = (next) => (request) => {
    request.header.set('authorization', `bearer ${token}`);
    request.header.set('x-client-name', CLIENT_NAME);
    request.header.set('x-client-version', CLIENT_VERSION);
    return next(request);
  };
  const transport = createGrpcWebTransport({
    baseUrl: withoutSlash(server),
    httpVersion: '1.1',
    interceptors: [identify],
  });
  const clients = new Map<DescService, Client<DescService>>();
  return <S extends DescService>(service: S): Client<S> => {
    let client = clients.get(service);
    if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
    return client as Client<S>;
  };
}

/** The organization that is asked for, if any. */
export function organizationOf(globals: Globals, io: Io): string | undefined {
  return globals.org ?? (io.env['QUARTERDECK_ORG'] || undefined);
}

/** Nobody is signed in: there is no token to call with. */
export class NotSignedIn extends CommandError {
  constructor(server: string, program: string) {
    super(message('core:cli.login.none', { server, program }));
  }
}

export interface Session {
  readonly server: string;
  readonly api: Api;
  readonly acting: Acting;
}

/** @throws NotSignedIn when nobody is signed in, ConnectError when the server refuses or cannot be reached. */
export async function openSession(globals: Globals, io: Io): Promise<Session> {
  const { server, token } = findLogin(globals, io);
  if (!token) throw new NotSignedIn(server, io.program);
  const api = connect({ server, token });
  return { server, api, acting: await loadActing(api, organizationOf(globals, io)) };
}

/** What a command of this run may use. Reference data is read once in a run. */
export function contextOf(
  { api, acting }: Session,
  io: Io,
  host: Partial<HostCapabilities>,
  progress: Context['progress'],
): Context {
  const cache = new Map<string, Promise<unknown>>();
  const context: Context = {
    api,
    actor: acting.actor,
    organization: acting.organization,
    preferences: acting.preferences,
    focus: undefined,
    host,
    signal: io.signal,
    progress,
    now: () => new Date(),
    cached: <T>(key: string, load: (shared: Context) => Promise<T>): Promise<T> => {
      let found = cache.get(key);
      if (!found) cache.set(key, (found = load(context)));
      return found as Promise<T>;
    },
  };
  return context;
}
