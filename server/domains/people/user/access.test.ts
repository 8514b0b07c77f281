import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, readQueuedEmails, signInAs, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator')).users;
const listRequesters = async () => (await administrator().listAccessRequests({})).users.map(({ email }) => email);

describe('a request to join', () => {
  test('notifies the administrators, who approve it with roles', async () => {
    const { me } = signInAs(t, newUser('ada'));
    await me.requestAccess({ organization: ' Northwind ' });
    await me.requestAccess({ organization: 'northwind' });
    await expect(me.currentUser({})).resolves.toMatchObject({ requestedOrganizations: ['northwind'] });
    expect(await listRequesters()).toEqual(['ada@example.com']);
    expect(await readQueuedEmails(t)).toMatchObject([
      { to: 'administrator@northwind.example', subject: 'ada@example.com wants to join Northwind Energy' },
    ]);
    await expect(administrator().approve({ userIds: ['id-ada'] })).rejects.toThrow('at least one role');
    await administrator().approve({ userIds: ['id-ada'], roles: { include: ['installer'] } });
    await expect(me.currentUser({})).resolves.toMatchObject({
      organizations: ['northwind'],
      currentOrganization: 'northwind',
      requestedOrganizations: [],
      roles: ['installer'],
    });
    expect((await readQueuedEmails(t)).at(-1)).toMatchObject({
      to: 'ada@example.com',
      subject: 'You now have access to Northwind Energy',
    });
  });

  test('gets the same response for an unknown organization and is not stored', async () => {
    const { me } = signInAs(t, newUser('bo'));
    await expect(me.requestAccess({ organization: 'no-such' })).resolves.toBeDefined();
    await expect(me.currentUser({})).resolves.toMatchObject({ requestedOrganizations: [] });
    await expect(me.cancelAccessRequest({ organization: 'no-such' })).resolves.toBeDefined();
  });

  test('goes to the administrators of a parent if the organization has none', async () => {
    const { me } = signInAs(t, newUser('cy'));
    await me.requestAccess({ organization: 'northwind-north-trials' });
    expect((await readQueuedEmails(t)).at(-1)).toMatchObject({ to: 'administrator@northwind.example' });
    await me.cancelAccessRequest({ organization: 'northwind-north-trials' });
    await expect(me.currentUser({})).resolves.toMatchObject({ requestedOrganizations: [] });
  });

  test("can't inject text into the email through a multi-line name", async () => {
    const { me } = signInAs(
      t,
      newUser('mal', { name: 'Mal\n\u202e\nYour account is blocked: http://elsewhere.example' }),
    );
    await me.requestAccess({ organization: 'northwind' });
    expect((await readQueuedEmails(t)).at(-1)?.body.split('\n')[0]).toMatch(
      /^Mal Your account .* has asked to join Northwind Energy\.$/,
    );
    await me.cancelAccessRequest({ organization: 'northwind' });
  });

  test('sends at most one email a day, even if it is withdrawn and repeated', async () => {
    const { me } = signInAs(t, newUser('fay'));
    const requestAndCancel = async () => {
      await me.requestAccess({ organization: 'northwind' });
      await me.cancelAccessRequest({ organization: 'northwind' });
    };
    const sentCount = async () =>
      (await readQueuedEmails(t)).filter(({ subject }) => subject.startsWith('fay@')).length;
    for (let attempt = 0; attempt < 3; attempt += 1) await requestAndCancel();
    expect(await sentCount()).toBe(1);
    t.advance(25 * 3600 * 1000);
    await requestAndCancel();
    expect(await sentCount()).toBe(2);
  });

  test('requires a verified address and is rejected if the person is already a member', async () => {
    const { me } = signInAs(t, newUser('dee', { emailVerified: false }));
    await expect(me.requestAccess({ organization: 'northwind' })).rejects.toThrow('Verify your email address');
    const viewer = createClients(t.as('viewer')).me;
    await expect(viewer.requestAccess({ organization: 'northwind' })).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
    expect(await listRequesters()).toEqual([]);
  });

  test('is rejected by removing the person', async () => {
    const { me } = signInAs(t, newUser('eve'));
    await me.requestAccess({ organization: 'northwind' });
    await administrator().remove({ userIds: ['id-eve'] });
    expect(await listRequesters()).toEqual([]);
    await me.requestAccess({ organization: 'quarterdeck' });
    const approve = { userIds: ['id-eve'], roles: { include: ['viewer'] } };
    await expect(administrator().approve(approve)).rejects.toMatchObject({ code: Code.NotFound });
    await expect(administrator().remove({ userIds: ['id-eve'] })).rejects.toMatchObject({ code: Code.NotFound });
    await expect(administrator().approve({ ...approve, organization: 'quarterdeck' })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
  });
});
