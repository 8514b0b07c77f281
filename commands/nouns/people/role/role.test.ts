import { afterAll, beforeAll, expect, test } from 'vitest';

import { listAll } from '#commands/run/lookup.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { grantableRole, role } from './entity.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('lists roles with their permissions and filters for grantable roles', async () => {
  const context = await contextAs(server, 'operator');
  const names = async (filter: string) => (await listAll(role, filter, context)).map(role.label);
  expect(await names('')).toEqual(['Viewer', 'Operator', 'Developer', 'Administrator', 'Installer']);
  expect(await names('grantable:true')).toEqual(['Viewer', 'Operator']);
  expect((await grantableRole.search(context, '', 10)).map(role.label)).toEqual(['Viewer', 'Operator']);
  const [viewer] = await role.find(context, 'VIEWER');
  expect(await role.detailTabs![0]!.load(context, viewer!)).toContain('MODEMS');
});

test('limits your abilities while you try out a role, until you restore your own roles', async () => {
  const before = await contextAs(server, 'administrator');
  expect(before.actor.trialRoles).toBeUndefined();
  const plan = await planLine(before, 'role try viewer');
  expect(plan).toMatchObject({ reversible: true, summary: { values: { roles: 'Viewer' } } });
  const run = await type(before, 'role try viewer');
  const trialContext = await contextAs(server, 'administrator');
  expect(trialContext.actor.trialRoles).toEqual(['viewer']);
  expect(trialContext.actor.abilities.has('MANAGE_USERS')).toBe(false);
  await expect(planLine(trialContext, 'role try operator')).rejects.toMatchObject({
    userMessage: { key: 'role:validation.trying' },
  });
  await undo(trialContext, run);
  const after = await contextAs(server, 'administrator');
  expect(after.actor.abilities.has('MANAGE_USERS')).toBe(true);
  await expect(planLine(after, 'role restore')).rejects.toMatchObject({
    userMessage: { key: 'role:validation.notTrying' },
  });
});

test("doesn't let you try out a role with permissions you don't have", async () => {
  const context = await contextAs(server, 'operator');
  await expect(planLine(context, 'role try administrator')).rejects.toMatchObject({
    param: 'roles',
    userMessage: { key: 'role:validation.notYours', values: { role: 'Administrator' } },
  });
});
