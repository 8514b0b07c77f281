import { afterAll, beforeAll, expect, test } from 'vitest';

import { contextAs, planLine, type, undo } from '#commands/testkit/server.ts';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { loadInvites, loadRequestedOrganizations } from './membership.ts';

let server: TestServer;
beforeAll(async () => void (server = await startTestServer()));
afterAll(() => server.close());

test('requests access, lists the pending request, and withdraws it', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  expect(newcomer.organization.id).toBe('');
  const run = await type(newcomer, 'me request-access northwind');
  expect(await loadRequestedOrganizations(newcomer)).toEqual(['northwind']);
  const { outcome } = await type(newcomer, 'me check-requests');
  expect(outcome.message).toMatchObject({
    key: 'me:done.waiting',
    values: { organizations: { key: 'common:organizationId', values: { id: 'northwind' } } },
  });
  await undo(newcomer, run);
  expect(await loadRequestedOrganizations(newcomer)).toEqual([]);
});

test('rejects an invalid organization id', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  await expect(type(newcomer, "me request-access 'North Wind'")).rejects.toMatchObject({
    userMessage: { key: 'organization:validation.id' },
    param: 'organization',
  });
});

test('finds and accepts an invitation and makes its organization the default', async () => {
  const newcomer = await contextAs(server, 'newcomer');
  const administrator = await contextAs(server, 'administrator');
  await type(administrator, 'user invite newcomer@example.com viewer');
  expect((await loadInvites(newcomer)).map(({ organization }) => organization)).toEqual(['northwind']);
  const plan = await planLine(newcomer, 'me accept-invite northwind');
  const { outcome } = await type(newcomer, 'me accept-invite northwind --default');
  const name = administrator.organization.name;
  expect([plan?.summary.values, outcome.message?.values]).toEqual([{ organization: name }, { organization: name }]);
  const user = await newcomer.api(CurrentUserService).currentUser({});
  expect([user.organizations, user.defaultOrganization]).toEqual([['northwind'], 'northwind']);
});

test('deletes the account after confirmation with the email address', async () => {
  const viewer = await contextAs(server, 'viewer');
  expect(await planLine(viewer, 'me delete-account')).toMatchObject({ confirm: viewer.actor.email, reversible: false });
  await type(viewer, 'me delete-account');
  await expect(viewer.api(CurrentUserService).currentUser({})).rejects.toMatchObject({ name: 'ConnectError' });
});
