import type { UnaryRequest } from '@connectrpc/connect';
import { expect, test } from 'vitest';

import { callerInterceptor, chargeTo } from './caller.ts';
import { currentWork } from './work.ts';

/**
 * Returns a function that makes a call through the interceptor and resolves to the account charged when the call
 * started.
 */
function createCall() {
  const interceptor = callerInterceptor();
  return async (signIn: string, { organization, stream = false }: { organization?: string; stream?: boolean } = {}) => {
    const accounts: (string | undefined)[] = [];
    const handle = interceptor(async () => {
      accounts.push(currentWork()?.account);
      if (organization !== undefined) chargeTo(organization);
      if (organization === 'broken') throw new Error('broken');
      return {} as never;
    });
    const request = { stream, signal: new AbortController().signal, header: new Headers({ authorization: signIn }) };
    await handle(request as UnaryRequest).catch(() => undefined);
    return accounts[0];
  };
}

test("charges a call to the sign-in's previous organization until the call's own is known", async () => {
  const call = createCall();
  expect(await call('bearer a', { organization: 'north' })).toBe('');
  expect(await call('bearer b', { organization: 'south' })).toBe('');
  expect(await call('bearer a')).toBe('north');
  expect(await call('bearer a', { organization: 'broken' })).toBe('north');
  expect(await call('bearer a')).toBe('broken');
  expect(await call('bearer b')).toBe('south');
});

test('charges the call that opens a stream, but nothing after it', async () => {
  const call = createCall();
  expect(await call('bearer a', { stream: true, organization: 'north' })).toBe('');
  expect(currentWork()).toBeUndefined();
  expect(await call('bearer a')).toBe('north');
});

test("recognizes a sign-in regardless of the scheme's case and the header's spacing", async () => {
  const call = createCall();
  await call('bearer a', { organization: 'north' });
  for (const header of ['Bearer a', 'BEARER    a', ' bearer a ']) expect(await call(header)).toBe('north');
  expect(await call('bearer A')).toBe('');
});

test('evicts the least recently used sign-in when there are more than 10,000', async () => {
  const call = createCall();
  await call('bearer first', { organization: 'north' });
  await call('bearer second', { organization: 'north' });
  await call('bearer first', { organization: 'north' });
  for (let index = 0; index < 9999; index += 1) await call(`bearer ${index}`, { organization: 'south' });
  expect(await call('bearer second')).toBe('');
  expect(await call('bearer first')).toBe('north');
});
