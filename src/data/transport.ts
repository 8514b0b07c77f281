import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';

import { bearer, signOut } from '#src/auth/session.ts';
import { createRenewal } from './renewal.ts';
import { renewWith } from './renew.ts';
import { openTransport } from '#src/net/wire.ts';

/** Every call carries who calls; without a bearer it is not sent at all (spec 7). */
const identify: Interceptor = (next) => async (request) => {
  const token = await bearer();
  if (token === undefined) throw new ConnectError('You are not signed in.', Code.Unauthenticated);
  request.header.set('authorization', `bearer ${token}`);
  return next(request);
};

/** The guard keeps the destination of whose session is over. */
const renew = renewWith({ renewed: createRenewal(bearer), end: signOut });

const transport = openTransport([renew, identify]);
const clients = new Map<DescService, Client<DescService>>();

/** The client of a service, made once. */
export function api<S extends DescService>(service: S): Client<S> {
  let client = clients.get(service);
  if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
  return client as Client<S>;
}
