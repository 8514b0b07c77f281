import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { contextAs, planLine, type } from '#commands/testkit/server.ts';
import type { SignIn } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { startTestServer, demoPerson, createIdToken, type TestServer } from '#server/testkit/server.ts';

import { signIn, listSignIns } from './entity.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Returns a context for the same user with an earlier sign-in, from another browser. */
function signInElsewhere(context: Context, minutes: number): Context {
  const authTime = new Date(server.app.now().getTime() - minutes * 60_000);
  return { ...context, api: server.with(createIdToken({ ...demoPerson('operator'), authTime })).client };
}

test('lists sign-ins, revokes one of them, and then revokes all others', async () => {
  const context = await contextAs(server, 'operator');
  const otherContext = signInElsewhere(context, 5);
  await listSignIns(otherContext);
  const [phone, ...others] = (await listSignIns(context)).filter(({ current }) => !current);
  expect(others).toEqual([]);
  const plan = await planLine(context, `sign-in revoke '#${phone!.id}'`);
  expect(plan).toMatchObject({ count: 1, reversible: false, notes: [] });
  await type(context, `sign-in revoke '#${phone!.id}'`);
  await expect(listSignIns(otherContext)).rejects.toThrow('ended this sign-in from another device or browser');

  await listSignIns(signInElsewhere(context, 10));
  await listSignIns(signInElsewhere(context, 20));
  expect(await planLine(context, 'sign-in revoke-others')).toMatchObject({ count: 2 });
  await type(context, 'sign-in revoke-others');
  expect((await listSignIns(context)).map(({ current }) => current)).toEqual([true]);
});

test('shows the release of our own clients, not the contract version', () => {
  const text = (client: string) => signIn.details!.find(({ id }) => id === 'client')!.value({ client } as SignIn);
  expect(text('quarterdeck-console 0.261.0+0.1.0')).toEqual({
    key: 'sign-in:client.console',
    values: { version: '0.1.0' },
  });
  expect(text('quarterdeck-cli 0.261.0')).toEqual({ key: 'sign-in:client.cli', values: { version: '' } });
  expect(text('curl 8.1')).toBe('curl 8.1');
});

test('marks the current sign-in and warns before revoking it', async () => {
  const context = await contextAs(server, 'viewer');
  const [currentSignIn] = await listSignIns(context);
  expect((await planLine(context, `sign-in revoke '#${currentSignIn!.id}'`))?.notes).toEqual([
    { key: 'sign-in:plan.includesCurrent' },
  ]);
  expect(signIn.columns.find(({ id }) => id === 'current')!.value(currentSignIn!)).toEqual({ key: 'sign-in:this' });
});
