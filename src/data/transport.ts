import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { isUnauthenticated } from '#commands/core/errors';

import { bearer, signOut } from '../auth/session.ts';
import { API_URL, CLIENT_NAME, CLIENT_VERSION } from '../config.ts';

/** Every call carries who calls and which client it is; without a bearer it is not sent at all (spec 7). */
const identify: Interceptor = (next) => async (request) => {
  const token = await bearer();
  if (token === undefined) throw new ConnectError('You are not signed in.', Code.Unauthenticated);
  request.header.set('authorization', `bearer ${token}`);
  request.header.set('x-client-name', CLIENT_NAME);
  request.header.set('x-client-version', CLIENT_VERSION);
  return next(request);
};

/** Unauthenticated signs out (spec 8); the guard then keeps the destination. */
const expire: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    if (isUnauthenticated(error)) await signOut();
    throw error;
  }
};

const transport = createGrpcWebTransport({ baseUrl: API_URL, interceptors: [expire, identify] });
const clients = new Map<DescService, Client<DescService>>();

/** The client of a service, made once. */
export function api<S extends DescService>(service: S): Client<S> {
  let client = clients.get(service);
  if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
  return client as Client<S>;
}
