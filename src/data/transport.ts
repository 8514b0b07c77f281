import type { DescService } from '@bufbuild/protobuf';
import {
  Code,
  ConnectError,
  createClient,
  type Client,
  type Interceptor,
  type StreamResponse,
  type UnaryRequest,
  type StreamRequest,
} from '@connectrpc/connect';

import { isUnauthenticated } from '#commands/core/errors';

import { bearer, signOut } from '../auth/session.ts';
import { createRenewal } from './renewal.ts';
import { openTransport } from './wire.ts';

/** Every call carries who calls; without a bearer it is not sent at all (spec 7). */
const identify: Interceptor = (next) => async (request) => {
  const token = await bearer();
  if (token === undefined) throw new ConnectError('You are not signed in.', Code.Unauthenticated);
  request.header.set('authorization', `bearer ${token}`);
  return next(request);
};

const renewed = createRenewal(bearer);

/** Whether the refused call may be tried again. Otherwise the session is over (spec 8); the guard then keeps the destination. */
async function mayRetry({ header }: UnaryRequest | StreamRequest, refusal: ConnectError): Promise<boolean> {
  const [, token] = (header.get('authorization') ?? '').split(' ');
  if (token && (await renewed(token).catch(unlessUnreachable))) return true;
  await signOut(refusal.rawMessage);
  return false;
}

/** An identity provider that cannot be reached ends no session; one that refuses does. */
function unlessUnreachable(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'auth/network-request-failed') {
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  return false;
}

/** A call that is refused for the age of its bearer is made again with a fresh one, so that nobody loses it. */
const renew: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: readOn(request, response) } : response;
  } catch (error) {
    if (!isUnauthenticated(error) || !(await mayRetry(request, error))) throw error;
    if (request.stream) throw openAgain(error);
  }
  try {
    return await next(request);
  } catch (error) {
    if (isUnauthenticated(error)) await signOut(error.rawMessage);
    throw error;
  }
};

/** A stream cannot be resumed: whoever reads it opens it again, as after any loss of the connection. */
async function* readOn(request: UnaryRequest | StreamRequest, { message }: StreamResponse): StreamResponse['message'] {
  try {
    yield* message;
  } catch (error) {
    if (isUnauthenticated(error) && (await mayRetry(request, error))) throw openAgain(error);
    throw error;
  }
}

function openAgain(refusal: ConnectError): ConnectError {
  return new ConnectError(refusal.rawMessage, Code.Unavailable, undefined, undefined, refusal);
}

const transport = openTransport([renew, identify]);
const clients = new Map<DescService, Client<DescService>>();

/** The client of a service, made once. */
export function api<S extends DescService>(service: S): Client<S> {
  let client = clients.get(service);
  if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
  return client as Client<S>;
}
