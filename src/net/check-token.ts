import { Code, ConnectError, createClient } from '@connectrpc/connect';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { openTransport } from './wire.ts';

/**
 * Checks a token with the server before storing it.
 *
 * @throws ConnectError UNAUTHENTICATED if it is not valid.
 */
export async function checkToken(token: string): Promise<void> {
  if (!token) throw new ConnectError('', Code.Unauthenticated);
  const client = createClient(CurrentUserService, openTransport());
  await client.currentUser({}, { headers: { authorization: `bearer ${token}` } });
}
