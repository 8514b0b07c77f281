import type { UnaryRequest } from '@connectrpc/connect';
import { expect, test } from 'vitest';
import { callerInterceptor, chargeTo } from './caller.ts';
import { currentWork } from './work.ts';

/** Makes calls through one interceptor; tells for whom each counted when it began. */
function calls() {
  const interceptor = callerInterceptor();
  return async (signIn: string, { organization, stream = false }: { organization?: string; stream?: boolean } = {}) => {
    const seen: (string | undefined)[] = [];
    const answer = interceptor(async () => {
      seen.push(currentWork()?.account);
      if (organization !== undefined) chargeTo(organization);
      if (organization === 'broken') throw new Error('broken');
      return {} as never;
    });
    const request = { stream, signal: new AbortController().signal, header: new Headers({ authorization: signIn }) };
    await answer(request as UnaryRequest).catch(() => undefined);
    return seen[0];
  };
}

test('a call counts for the organization that its sign-in called for last, until it is known for which it calls', async () => {
  const call = calls();
  expect(await call('bearer a', { organization: 'north' })).toBe('');
  expect(await call('bearer b', { organization: 'south' })).toBe('');
  expect(await call('bearer a')).toBe('north');
  expect(await call('bearer a', { organization: 'broken' })).toBe('north');
  expect(await call('bearer a')).toBe('broken');
  expect(await call('bearer b')).toBe('south');
});

test('what opens a stream counts as well, and what comes after it does not', async () => {
  const call = calls();
  expect(await call('bearer a', { stream: true, organization: 'north' })).toBe('');
  expect(currentWork()).toBeUndefined();
  expect(await call('bearer a')).toBe('north');
});

test('a sign-in is the same, however its header is written', async () => {
  const call = calls();
  await call('bearer a', { organization: 'north' });
  for (const written of ['Bearer a', 'BEARER    a', ' bearer a ']) expect(await call(written)).toBe('north');
  expect(await call('bearer A')).toBe('');
});

test('the organizations of the oldest of very many sign-ins are forgotten', async () => {
  const call = calls();
  await call('bearer first', { organization: 'north' });
  await call('bearer second', { organization: 'north' });
  await call('bearer first', { organization: 'north' });
  for (let index = 0; index < 9_999; index += 1) await call(`bearer ${index}`, { organization: 'south' });
  expect(await call('bearer second')).toBe('');
  expect(await call('bearer first')).toBe('north');
});
