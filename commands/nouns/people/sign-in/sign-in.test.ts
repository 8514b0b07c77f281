import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { startTestServer, demoPerson, idTokenOf, type TestServer } from '#server/testkit/server.ts';
import type { Context } from '#commands/model/context.ts';
import { contextAs, planOf, type } from '#commands/testkit/server.ts';
import { signIn, signInsOf } from './entity.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The same person, signed in somewhere else some minutes ago. */
function elsewhere(here: Context, minutes: number): Context {
  const authTime = new Date(server.app.now().getTime() - minutes * 60_000);
  return { ...here, api: server.with(idTokenOf({ ...demoPerson('operator'), authTime })).client };
}

test('one sees where one is signed in, ends one of them, and then all others', async () => {
  const here = await contextAs(server, 'operator');
  const there = elsewhere(here, 5);
  await signInsOf(there);
  const [phone, ...others] = (await signInsOf(here)).filter(({ current }) => !current);
  expect(others).toEqual([]);
  const plan = await planOf(here, `sign-in revoke '#${phone!.id}'`);
  expect(plan).toMatchObject({ count: 1, reversible: false, notes: [] });
  await type(here, `sign-in revoke '#${phone!.id}'`);
  await expect(signInsOf(there)).rejects.toThrow('ended from another one');

  await signInsOf(elsewhere(here, 10));
  await signInsOf(elsewhere(here, 20));
  expect(await planOf(here, 'sign-in revoke-others')).toMatchObject({ count: 2 });
  await type(here, 'sign-in revoke-others');
  expect((await signInsOf(here)).map(({ current }) => current)).toEqual([true]);
});

test('of our own programs the release is said, not the version of the contract', () => {
  const text = (client: string) => signIn.details!.find(({ id }) => id === 'client')!.value({ client } as SignIn);
  expect(text('quarterdeck-console 0.261.0+0.1.0')).toEqual({
    key: 'sign-in:client.console',
    values: { version: '0.1.0' },
  });
  expect(text('quarterdeck-cli 0.261.0')).toEqual({ key: 'sign-in:client.cli', values: { version: '' } });
  expect(text('curl 8.1')).toBe('curl 8.1');
});

test('the one that one is in is said to be that before it is ended', async () => {
  const here = await contextAs(server, 'viewer');
  const [own] = await signInsOf(here);
  expect((await planOf(here, `sign-in revoke '#${own!.id}'`))?.notes).toEqual([{ key: 'sign-in:plan.this' }]);
  expect(signIn.columns.find(({ id }) => id === 'current')!.value(own!)).toEqual({ key: 'sign-in:this' });
});
