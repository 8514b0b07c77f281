import type { DescService } from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Client, type Interceptor } from '@connectrpc/connect';

import { organizationNameInterceptor } from '#commands/session/name-organization.ts';
import { getBearer, signOut } from '#src/auth/session.ts';
import { openTransport } from '#src/net/wire.ts';
import { store } from '#src/state/store.ts';
import { userSessionAtom } from '#src/state/user-session.ts';

import { tokenInterceptor } from './token-interceptor.ts';
import { createTokenRenewal } from './token-renewal.ts';

/** Adds the bearer token to every call. If there is none, the call is not sent (spec 7). */
const identify: Interceptor = (next) => async (request) => {
  const token = await getBearer();
  if (token === undefined) throw new ConnectError('You are not signed in.', Code.Unauthenticated);
  request.header.set('authorization', `bearer ${token}`);
  return next(request);
};

/** Renews a rejected token, or ends the session if that fails. The guard keeps the destination for the next sign-in. */
const renew = tokenInterceptor({ hasNewerToken: createTokenRenewal(getBearer), end: signOut });

const transport = openTransport([
  organizationNameInterceptor(() => store.get(userSessionAtom)?.organization),
  renew,
  identify,
]);
const clients = new Map<DescService, Client<DescService>>();

/** Returns the client of a service, created once. */
export function api<S extends DescService>(service: S): Client<S> {
  let client = clients.get(service);
  if (!client) clients.set(service, (client = createClient<DescService>(service, transport)));
  return client as Client<S>;
}
