import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Context } from '#commands/model/context.ts';
import { failedResults } from '#commands/model/result.ts';
import { token } from '#commands/nouns/integrations/token/entity.ts';
import { accessRequest } from '#commands/nouns/people/access-request/entity.ts';
import { invitation } from '#commands/nouns/people/invitation/entity.ts';
import { compileFilter } from '#commands/query/compile.ts';
import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { Filter_ChildOrganizationsSchema } from '#proto/gen/hiber/filter_pb.ts';
import { UserService } from '#proto/gen/hiber/user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { user } from './entity.ts';
import { activity, sessions, tokens } from './tabs.ts';

let server: TestServer;
let context: Context;
beforeAll(async () => {
  server = await startTestServer();
  context = await contextAs(server, 'administrator');
});
afterAll(() => server.close());

const find = async (text: string) => (await user.find(context, text))[0]!;
const invitedEmails = async () => (await invitation.search(context, '', 10)).map(({ email }) => email);

test("shows a user's support permissions as text, and nothing for users who have none", async () => {
  const staff = await contextAs(server, 'support');
  const support = user.details!.find(({ id }) => id === 'support')!;
  const [supportUser] = await user.byIds(staff, [staff.actor.id]);
  expect(supportUser?.user.supportPermissions?.include.length).toBeGreaterThan(0);
  expect(JSON.stringify(support.value(supportUser!))).toContain('role:support.CUSTOMER_SUPPORT');
  expect(support.value(await find('viewer@northwind.example'))).toBeUndefined();
});

test('invites several people at once and invites them again', async () => {
  const line = "user invite 'A@b.example,c@d.example,a@b.example' operator";
  expect(await planLine(context, line)).toMatchObject({ count: 2, reversible: false });
  const run = await type(context, line);
  expect(run.inverse).toBeUndefined();
  expect(await invitedEmails()).toEqual(['a@b.example', 'c@d.example']);
  expect((await planLine(context, 'user invite a@b.example viewer'))?.notes).toContainEqual({
    key: 'user:plan.inviteAgain',
    values: { count: 1 },
  });
  await type(context, "invitation invite-again 'a@b.example,c@d.example' viewer");
  expect(await invitedEmails()).toHaveLength(2);
  await expect(planLine(context, 'user invite nobody viewer')).rejects.toMatchObject({ param: 'emails' });
  await expect(planLine(context, 'user invite a@b.example')).rejects.toMatchObject({
    userMessage: { key: 'role:validation.required' },
  });
});

test('creates an account without a password and makes it a member', async () => {
  const line = "user create new@northwind.example 'New Comer' --roles viewer --send-reset";
  expect((await planLine(context, line))?.notes).toContainEqual({ key: 'user:plan.accountKept' });
  await type(context, line);
  const item = await find('new@northwind.example');
  expect(item).toMatchObject({ isOwn: true, roles: ['Viewer'], member: { suspended: false } });
  await expect(planLine(context, 'user create x@y.example X --roles viewer --change-password')).rejects.toMatchObject({
    param: 'changePassword',
  });
});

test('suspends only active members, and undo unsuspends them', async () => {
  const line = 'user suspend email:viewer@northwind.example';
  expect(await planLine(context, line)).toMatchObject({
    count: 1,
    changes: [{ before: { key: 'user:status.active' }, after: { key: 'user:status.suspended' } }],
  });
  const run = await type(context, line);
  expect((await find('viewer@northwind.example')).member).toMatchObject({ suspended: true });
  expect(await planLine(context, line)).toMatchObject({ count: 0 });
  await undo(context, run);
  expect((await find('viewer@northwind.example')).member).toMatchObject({ suspended: false });
});

test('selects only the user with exactly the given name', async () => {
  await type(context, 'user create anna@northwind.example Anna --roles viewer');
  await type(context, 'user create hanna@northwind.example Hanna --roles viewer');
  const plannedLabels = async (line: string) => (await planLine(context, line))?.changes.map(({ label }) => label);
  expect(await plannedLabels('user suspend anna')).toEqual(['Anna']);
  expect(await plannedLabels("user suspend 'Hanna, anna@northwind.example'")).toEqual(['Hanna', 'Anna']);
  expect((await plannedLabels("user suspend '* anna'"))?.toSorted()).toEqual(['Anna', 'Anna Vermeer', 'Hanna']);
  await type(context, 'user create other@northwind.example Hanna --roles viewer');
  await expect(plannedLabels('user suspend hanna')).rejects.toMatchObject({
    userMessage: { key: 'running:lookup.ambiguous' },
    param: 'users',
  });
});

test('removes a member by email and mentions their tokens', async () => {
  const plan = await planLine(context, 'user remove email:new@northwind.example --all-tokens');
  expect(plan).toMatchObject({ confirm: 'new@northwind.example', reversible: false });
  expect(plan?.notes).toContainEqual({ key: 'user:plan.allTokens' });
  await type(context, 'user remove email:new@northwind.example');
  expect(await user.find(context, 'new@northwind.example')).toEqual([]);
  const last = await type(context, 'user remove email:administrator@northwind.example');
  expect(failedResults(last.outcome)).toMatchObject([
    { label: 'Dana Kowalski', failure: { code: 'failed_precondition' } },
  ]);
});

test('approves an access request with roles, or rejects it', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  await type(newcomer, 'me request-access northwind');
  const requestingEmails = async () => (await accessRequest.search(context, '', 10)).map(({ email }) => email);
  expect(await requestingEmails()).toEqual(['newcomer@example.com']);
  await type(context, "access-request reject '*'");
  expect(await requestingEmails()).toEqual([]);
  await type(newcomer, 'me request-access northwind');
  await type(context, "access-request approve '*' viewer,installer");
  expect((await find('newcomer@example.com')).roles).toEqual(['Viewer', 'Installer']);
});

test("shows a member's sessions, activity, and tokens in the panel", async () => {
  await contextAs(server, 'operator');
  await type(context, 'token create mine');
  expect(await sessions.load(context, await find('operator@northwind.example'))).toHaveLength(1);
  const owner = tokens.value(await find('administrator@northwind.example'));
  const terms = [{ key: tokens.key, negated: false, test: { values: [owner] } }];
  const filter = await compileFilter(token, { terms, words: [], sort: [] }, context);
  expect((await token.list(context, filter, { page: 0, size: 50 })).items).toMatchObject([{ name: 'mine' }]);
  const days = await activity.load(context, await find('administrator@northwind.example'));
  expect(days).toContainEqual(expect.objectContaining({ actions: expect.arrayContaining(['TokenService.Create']) }));
  await type(context, 'user revoke-sessions email:operator@northwind.example');
  await expect(contextAs(server, 'operator')).rejects.toThrow('An administrator ended your sessions');
});

test('lists members of sub-organizations with their organization name', async () => {
  const child = 'northwind-north';
  const { client } = server.as('administrator');
  const invite = { organization: child, email: 'newcomer@example.com', roles: { include: ['viewer'] } };
  await client(UserService).invite(invite);
  await server.as('newcomer').client(CurrentUserService).acceptOrganizationInvite({ organization: child });
  const { users } = user.emptySelection();
  const list = async (selection: object) => {
    const { items } = await user.list(context, { selection: { users, ...selection }, sort: [] }, { page: 0, size: 50 });
    return items.map(({ user: { email }, organization, isOwn: own }) => ({ email, organization, own }));
  };
  const childUser = { email: 'newcomer@example.com', organization: child, own: false };
  const listedUsers = await list({ below: create(Filter_ChildOrganizationsSchema, { includeAll: true }) });
  expect(listedUsers).toContainEqual(childUser);
  expect(listedUsers).toContainEqual({ email: 'viewer@northwind.example', organization: 'northwind', own: true });
  expect(listedUsers.filter(({ own }) => !own)).toEqual([childUser]);
  expect((await list({})).filter(({ organization }) => organization !== 'northwind')).toEqual([]);
  const staff = await contextAs(server, 'support', 'quarterdeck');
  const line = 'user activity email:support@quarterdeck.example';
  await expect(planLine(staff, line)).rejects.toMatchObject({ param: 'user' });
});
