import { createClient } from '@connectrpc/connect';
import { afterEach, expect, test, vi } from 'vitest';

import { failureOf } from '#commands/model/errors.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';

import { openTransport } from './wire.ts';

afterEach(() => vi.unstubAllGlobals());

/** Returns the message that the user sees if the call gets this response. */
async function catchMessage(body: string, init: ResponseInit): Promise<unknown> {
  vi.stubGlobal('fetch', async () => new Response(body, init));
  const call = createClient(CurrentUserService, openTransport()).currentUser({});
  return failureOf(await call.catch((error: unknown) => error)).message;
}

const message = (text: string) => ({ key: 'core:error.server', values: { text } });

test('shows the text of an error response, truncated to 1,000 characters', async () => {
  expect(await catchMessage(' Blocked by the firewall of é \n', { status: 403 })).toEqual(
    message('Blocked by the firewall of é'),
  );
  expect(await catchMessage(`${'x'.repeat(999)}😀`, { status: 403 })).toEqual(message('x'.repeat(999)));
});

test('reads the message in a JSON error response', async () => {
  expect(await catchMessage('{"message": "Not from here."}', { status: 403 })).toEqual(message('Not from here.'));
});

test("doesn't use the body of HTML pages, empty responses, and gRPC responses", async () => {
  const page = { status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } };
  expect(await catchMessage('<h1>Forbidden</h1>', page)).toEqual(message('HTTP 403'));
  expect(await catchMessage('', { status: 403 })).toEqual(message('HTTP 403'));
  expect(await catchMessage('not this', { status: 403, headers: { 'grpc-message': 'but%20this' } })).toEqual(
    message('but this'),
  );
  expect(await catchMessage('busy', { status: 503 })).toEqual({ key: 'core:error.connection' });
});
