import { Code, ConnectError, createClient, createRouterTransport, type HandlerContext } from '@connectrpc/connect';
import { beforeEach, expect, test, vi } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';

import { tokenInterceptor } from './token-interceptor.ts';

let token: string;
let acceptedToken: string;
const end = vi.fn<(message: string) => Promise<void>>();
const hasNewerToken = vi.fn<(rejected: string) => Promise<boolean>>();

beforeEach(() => {
  [token, acceptedToken] = ['old', 'new'];
  end.mockReset().mockResolvedValue();
  hasNewerToken.mockReset().mockImplementation(async () => {
    token = 'new';
    return true;
  });
});

/** Creates a server that accepts one bearer token and rejects all others, with the console's client for it. */
function clientOf<S extends typeof CurrentUserService | typeof EventService>(service: S) {
  const check = ({ requestHeader }: HandlerContext) => {
    if (requestHeader.get('authorization') === `bearer ${acceptedToken}`) return;
    throw new ConnectError('The session was ended.', Code.Unauthenticated);
  };
  const transport = createRouterTransport(
    ({ rpc }) => {
      rpc(CurrentUserService.method.currentUser, (_, context) => {
        check(context);
        return { id: 'anna' };
      });
      rpc(EventService.method.stream, async function* (_, context) {
        yield {};
        check(context);
      });
    },
    {
      transport: {
        interceptors: [
          tokenInterceptor({ hasNewerToken, end }),
          (next) => (request) => {
            request.header.set('authorization', `bearer ${token}`);
            return next(request);
          },
        ],
      },
    },
  );
  return createClient(service, transport);
}

test('retries a call after renewing an expired token', async () => {
  expect(await clientOf(CurrentUserService).currentUser({})).toMatchObject({ id: 'anna' });
  expect(hasNewerToken).toHaveBeenCalledExactlyOnceWith('old');
  expect(end).not.toHaveBeenCalled();
});

test("ends the session with the server's message if a fresh token is rejected", async () => {
  acceptedToken = 'none';
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(end).toHaveBeenCalledExactlyOnceWith('The session was ended.');
});

test('ends the session immediately without another token', async () => {
  hasNewerToken.mockResolvedValue(false);
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(end).toHaveBeenCalledExactlyOnceWith('The session was ended.');
});

test('keeps the session if the identity provider is unreachable', async () => {
  hasNewerToken.mockRejectedValue(Object.assign(new Error('no network'), { code: 'auth/network-request-failed' }));
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unavailable });
  expect(end).not.toHaveBeenCalled();
});

test('reopens a stream with a fresh token', async () => {
  const read = async () => {
    for await (const _ of clientOf(EventService).stream({})) expect(end).not.toHaveBeenCalled();
  };
  await expect(read()).rejects.toMatchObject({ code: Code.Unavailable });
  expect(token).toBe('new');
  await expect(read()).resolves.toBeUndefined();
});
