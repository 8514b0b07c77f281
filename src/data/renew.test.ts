import { Code, ConnectError, createClient, createRouterTransport, type HandlerContext } from '@connectrpc/connect';
import { beforeEach, expect, it, vi } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';

import { renewWith } from './renew.ts';

let token: string;
let accepted: string;
const end = vi.fn<(message: string) => Promise<void>>();
const renewed = vi.fn<(refused: string) => Promise<boolean>>();

beforeEach(() => {
  [token, accepted] = ['old', 'new'];
  end.mockReset().mockResolvedValue();
  renewed.mockReset().mockImplementation(async () => {
    token = 'new';
    return true;
  });
});

/** A server that accepts one bearer and refuses all others, and the console's way to it. */
function clientOf<S extends typeof CurrentUserService | typeof EventService>(service: S) {
  const check = ({ requestHeader }: HandlerContext) => {
    if (requestHeader.get('authorization') === `bearer ${accepted}`) return;
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
          renewWith({ renewed, end }),
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

it('loses no call when the bearer has grown old', async () => {
  expect(await clientOf(CurrentUserService).currentUser({})).toMatchObject({ id: 'anna' });
  expect(renewed).toHaveBeenCalledExactlyOnceWith('old');
  expect(end).not.toHaveBeenCalled();
});

it('ends the session with the server’s sentence when a fresh bearer is refused too', async () => {
  accepted = 'none';
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(end).toHaveBeenCalledExactlyOnceWith('The session was ended.');
});

it('ends it at once when there is no other bearer', async () => {
  renewed.mockResolvedValue(false);
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unauthenticated });
  expect(end).toHaveBeenCalledExactlyOnceWith('The session was ended.');
});

it('ends no session because the identity provider is out of reach', async () => {
  renewed.mockRejectedValue(Object.assign(new Error('no network'), { code: 'auth/network-request-failed' }));
  await expect(clientOf(CurrentUserService).currentUser({})).rejects.toMatchObject({ code: Code.Unavailable });
  expect(end).not.toHaveBeenCalled();
});

it('has a stream opened again with a fresh bearer', async () => {
  const read = async () => {
    for await (const _ of clientOf(EventService).stream({})) expect(end).not.toHaveBeenCalled();
  };
  await expect(read()).rejects.toMatchObject({ code: Code.Unavailable });
  expect(token).toBe('new');
  await expect(read()).resolves.toBeUndefined();
});
