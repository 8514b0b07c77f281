import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { user } from './entity.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const rolesOf = async (email: string) => (await user.find(context, email))[0]!.user.roles;
const emails = async (filter: string) => (await listAll(user, filter, context)).map((item) => item.user.email);

const THREE_MEMBERS = 'role:operator,viewer,developer -role:administrator';

test('finds members by role, permission, email, and words', async () => {
  expect(await emails('role:Administrator')).toEqual(['administrator@northwind.example']);
  expect(await emails('permission:USERS_MANAGE')).toEqual(['administrator@northwind.example']);
  expect(await emails('email:VIEWER@northwind.example')).toEqual(['viewer@northwind.example']);
  expect(await emails('vermeer')).toEqual(['operator@northwind.example']);
  expect(await emails('sort:-email')).toEqual((await emails('')).toReversed());
  await expect(emails('role:captain')).rejects.toMatchObject({ userMessage: { key: 'running:lookup.none' } });
});

test('sets the roles of three members, and undo restores their previous roles', async () => {
  const line = `user set-roles '${THREE_MEMBERS}' viewer,installer`;
  const plan = await planLine(context, line);
  expect(plan).toMatchObject({ count: 3, reversible: true });
  const differences = plan?.changes.map(({ added, removed }) => ({ added, removed }));
  expect(differences).toContainEqual({ added: ['Viewer', 'Installer'], removed: ['Operator'] });
  const run = await type(context, line);
  expect(await rolesOf('operator@northwind.example')).toEqual(['viewer', 'installer']);
  await undo(context, run);
  expect(await rolesOf('operator@northwind.example')).toEqual(['operator']);
  expect(await rolesOf('developer@northwind.example')).toEqual(['developer']);
});

test("adds and removes roles, but never a member's last role", async () => {
  const addRun = await type(context, 'user add-roles email:viewer@northwind.example installer');
  expect(await rolesOf('viewer@northwind.example')).toEqual(['viewer', 'installer']);
  const removed = await type(context, 'user remove-roles email:viewer@northwind.example viewer');
  expect(await rolesOf('viewer@northwind.example')).toEqual(['installer']);
  await expect(planLine(context, 'user remove-roles email:viewer@northwind.example installer')).rejects.toMatchObject({
    param: 'withoutRoles',
    userMessage: { key: 'user:validation.wouldHaveNone', values: { name: 'Bram de Wit' } },
  });
  await undo(context, removed);
  await undo(context, addRun);
  expect(await rolesOf('viewer@northwind.example')).toEqual(['viewer']);
});

test('requires at least one role unless --without-roles is given', async () => {
  await expect(planLine(context, "user set-roles '* wit'")).rejects.toMatchObject({
    param: 'roles',
    userMessage: { key: 'role:validation.required' },
  });
  const run = await type(context, "user set-roles '* wit' --without-roles");
  expect(await rolesOf('viewer@northwind.example')).toEqual([]);
  await undo(context, run);
  expect(await rolesOf('viewer@northwind.example')).toEqual(['viewer']);
});

test('warns users about to change their own roles', async () => {
  const plan = await planLine(context, "user set-roles '* kowalski' developer,administrator");
  expect(plan?.notes).toContainEqual({ key: 'user:plan.yourself' });
});
