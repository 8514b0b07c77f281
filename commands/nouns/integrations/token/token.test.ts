import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { failedResults } from '#commands/model/result.ts';
import { registry } from '#commands/nouns/all.ts';
import { user } from '#commands/nouns/people/user/entity.ts';
import { prepareUndo } from '#commands/run/undo.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { token } from './entity.ts';
import { permissionNames } from './item.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const find = async (name: string) => (await token.find(context, name))[0]!;

test('creates a token and reveals its secret once, and undo revokes the token', async () => {
  const completedRun = await type(context, 'token create reader --permissions MODEMS --expires +30d');
  const secret = completedRun.outcome.reveal!.value;
  expect(secret).toMatch(/^qd_/);
  expect(JSON.stringify(completedRun.outcome.data) + JSON.stringify(completedRun.invocation)).not.toContain(secret);
  const plan = await planLine(context, `token revoke ${(await find('reader')).id}`);
  expect(plan).toMatchObject({ reversible: false, confirm: 'reader', notes: [{ key: 'token:plan.createdTokens' }] });
  await undo(context, completedRun);
  expect(await token.find(context, 'reader')).toEqual([]);
});

test('creates a token for another user by name or email address', async () => {
  const [operator] = await user.find(context, 'operator@northwind.example');
  await type(context, 'token create field --permissions MODEMS --for-user operator@northwind.example');
  await type(context, `token create site --permissions MODEMS --for-user '${user.label(operator!)}'`);
  for (const name of ['field', 'site']) expect((await find(name)).userId).toBe(operator!.user.id);
  await expect(type(context, 'token create lost --for-user nobody@example.com')).rejects.toMatchObject({
    userMessage: { key: 'running:lookup.none' },
    param: 'forUser',
  });
});

test("shows a token's roles and permissions by name", async () => {
  await type(context, 'token create reads --roles viewer');
  const roles = token.columns.find(({ id }) => id === 'roles')!.value(await find('reads'));
  expect(roles).toBe('Viewer');
  const plan = await planLine(context, 'token set-permissions reads TAGS_MANAGE');
  expect(plan?.changes[0]?.added).toEqual([{ key: 'role:permission.TAGS_MANAGE' }]);
});

test('a token created with an expiring token expires at the same time', async () => {
  const { outcome } = await type(context, 'token create short --permissions TOKENS --expires +1d');
  const tokenContext = { ...context, api: server.with(outcome.reveal!.value).client };
  const childRun = await type(tokenContext, 'token create child');
  expect(childRun.outcome.message).toMatchObject({ key: 'token:done.createdUntil', values: { name: 'child' } });
  const expiry = (await find('short')).expiresAt?.textual;
  expect((await find('child')).expiresAt?.textual).toBe(expiry);
  await expect(type(tokenContext, 'token create late --expires +2d')).rejects.toThrow("can't expire later");
  const unlimitedRun = await type(context, 'token create lasting');
  expect(unlimitedRun.outcome.message?.key).toBe('token:done.create');
});

test('accepts an expiry as a duration or as a date with a month name', async () => {
  await type(context, 'token create after --expires 30d');
  await type(context, "token create on --expires '28 Feb 2999'");
  expect((await find('on')).expiresAt?.textual).toMatch(/^2999-02-28/);
  await expect(type(context, "token create before --expires '28 Feb 1999'")).rejects.toMatchObject({
    param: 'expires',
  });
});

test('changes the permissions of several tokens, and undo restores them', async () => {
  await type(context, 'token create one --permissions MODEMS');
  await type(context, 'token create two --permissions MODEMS,TAGS_MANAGE');
  const ids = [(await find('one')).id, (await find('two')).id].join(',');
  const permissionsOf = async (name: string) => permissionNames((await find(name)).organizationPermissions).toSorted();
  const completedRun = await type(context, `token set-permissions '${ids}' TAGS_MANAGE --remove MODEMS`);
  expect([await permissionsOf('one'), await permissionsOf('two')]).toEqual([['TAGS_MANAGE'], ['TAGS_MANAGE']]);
  await undo(context, completedRun);
  expect([await permissionsOf('one'), await permissionsOf('two')]).toEqual([['MODEMS'], ['MODEMS', 'TAGS_MANAGE']]);
  const accountChange = await type(context, `token set-user-permissions '${ids}' READ`);
  expect((await find('one')).userPermissions).toHaveLength(1);
  await undo(context, accountChange);
  expect((await find('one')).userPermissions).toHaveLength(0);
});

test('shows role names in plans, and undo restores the roles', async () => {
  await type(context, 'token create named --roles viewer');
  const { id } = await find('named');
  const changesOf = async (line: string) =>
    (await planLine(context, line))?.changes.map(({ added, removed }) => [added, removed]);
  const expected = [[['Operator'], ['Viewer']]];
  expect(await changesOf(`token edit ${id} --roles Operator`)).toEqual(expected);
  expect(await changesOf(`token set-roles ${id} --replace operator`)).toEqual(expected);
  expect(await changesOf(`token set-roles ${id} operator --remove Viewer`)).toEqual(expected);
  for (const line of [`token edit ${id} --roles operator`, `token set-roles ${id} --replace Operator`]) {
    const completedRun = await type(context, line);
    expect((await find('named')).roles).toEqual(['operator']);
    await undo(context, completedRun);
    expect((await find('named')).roles).toEqual(['viewer']);
  }
  await expect(planLine(context, `token edit ${id} --roles operatr`)).rejects.toMatchObject({ param: 'roles' });
});

test('edits roles and permissions together, and undo restores both', async () => {
  await type(context, 'token create three --permissions MODEMS');
  const permissionsOf = async (name: string) => permissionNames((await find(name)).organizationPermissions).toSorted();
  const { id } = await find('three');
  const line = `token edit ${id} --permissions TAGS_MANAGE,MODEMS --user-permissions READ --roles viewer`;
  expect(await planLine(context, line)).toMatchObject({ count: 1, reversible: true, changes: [{}, {}, {}] });
  const completedRun = await type(context, line);
  expect(await permissionsOf('three')).toEqual(['MODEMS', 'TAGS_MANAGE']);
  expect(await find('three')).toMatchObject({ roles: ['viewer'], userPermissions: [expect.anything()] });
  await undo(context, completedRun);
  expect(await permissionsOf('three')).toEqual(['MODEMS']);
  expect(await find('three')).toMatchObject({ roles: [], userPermissions: [] });
});

test('undo restores the fields that an edit changed before the server rejected the others', async () => {
  const issuerRun = await type(context, 'token create issuer --permissions TOKENS,MODEMS');
  const tokenContext = { ...context, api: server.with(issuerRun.outcome.reveal!.value).client };
  await type(context, 'token create four');
  await type(context, 'token create five --permissions MODEMS');
  const loadPermissions = async (name: string) => {
    const { organizationPermissions, userPermissions } = await find(name);
    return [permissionNames(organizationPermissions), userPermissions];
  };
  const ids = [(await find('four')).id, (await find('five')).id].join(',');
  // The issuer may grant the permission in the organization, but not the permission on the owner's account.
  const completedRun = await type(tokenContext, `token edit '${ids}' --permissions MODEMS --user-permissions READ`);
  expect(failedResults(completedRun.outcome).map(({ label }) => label)).toEqual(['four', 'five']);
  expect([await loadPermissions('four'), await loadPermissions('five')]).toEqual([
    [['MODEMS'], []],
    [['MODEMS'], []],
  ]);
  await undo(context, completedRun);
  expect([await loadPermissions('four'), await loadPermissions('five')]).toEqual([
    [[], []],
    [['MODEMS'], []],
  ]);
});

test('undo asks for confirmation if someone else has changed the permissions since', async () => {
  await type(context, 'token create shared --permissions MODEMS');
  const completedRun = await type(context, 'token set-permissions shared TAGS_MANAGE');
  const prepare = () =>
    prepareUndo({ entry: { run: completedRun, undone: false }, skippedLater: false }, registry, context);
  expect(await prepare()).toMatchObject({ confirm: false, plan: { count: 1, notes: [] } });
  await type(context, 'token set-permissions shared USERS');
  expect(await prepare()).toMatchObject({
    confirm: true,
    plan: { count: 1, notes: [{ key: 'running:undo.conflict', values: { names: 'shared' } }] },
  });
});

test('rejects invalid arguments without sending a request', async () => {
  await expect(type(context, 'token create mine --type PERSONAL --permissions MODEMS')).rejects.toMatchObject({
    param: 'type',
  });
  await expect(type(context, 'token create old --expires -1d')).rejects.toMatchObject({
    userMessage: { key: 'token:validation.past' },
  });
});
