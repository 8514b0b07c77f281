import { createClient } from '@connectrpc/connect';
import { afterEach, expect, it, vi } from 'vitest';

import { failureOf } from '#commands/model/errors.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { openTransport } from './wire.ts';

afterEach(() => vi.unstubAllGlobals());

/** What a person reads when every call is answered so. */
async function saidOf(body: string, init: ResponseInit): Promise<unknown> {
  vi.stubGlobal('fetch', async () => new Response(body, init));
  const call = createClient(CurrentUserService, openTransport()).currentUser({});
  return failureOf(await call.catch((error: unknown) => error)).message;
}

const said = (text: string) => ({ key: 'core:error.said', values: { text } });

it('says the text of a refusal, cut at 1,000 characters', async () => {
  expect(await saidOf(' Blocked by the firewall of é \n', { status: 403 })).toEqual(
    said('Blocked by the firewall of é'),
  );
  expect(await saidOf(`${'x'.repeat(999)}😀`, { status: 403 })).toEqual(said('x'.repeat(999)));
});

it('reads a JSON refusal for its message', async () => {
  expect(await saidOf('{"message": "Not from here."}', { status: 403 })).toEqual(said('Not from here.'));
});

it('leaves pages, empty answers and answers of gRPC to their status', async () => {
  const page = { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } };
  expect(await saidOf('<h1>Forbidden</h1>', page)).toEqual(said('HTTP 403'));
  expect(await saidOf('', { status: 403 })).toEqual(said('HTTP 403'));
  expect(await saidOf('not this', { status: 403, headers: { 'grpc-message': 'but%20this' } })).toEqual(
    said('but this'),
  );
  expect(await saidOf('busy', { status: 503 })).toEqual({ key: 'core:error.connection' });
});
