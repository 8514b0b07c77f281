import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { organization } from '#server/db/schema/organization.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, readQueuedEmails, signInAs, newUser } from '#server/testkit/users.ts';

const DAY = 24 * 3600 * 1000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator')).users;
const invite = (email: string, include: string[] = ['viewer']) => administrator().invite({ email, roles: { include } });

describe('an invitation', () => {
  test('is emailed with a link, and admits the owner of the address, ignoring case', async () => {
    await invite('Ada@Example.com', ['operator']);
    const [sent] = await readQueuedEmails(t);
    expect(sent).toMatchObject({ to: 'Ada@Example.com', subject: 'You are invited to Northwind Energy' });
    expect(sent?.body).toContain('http://127.0.0.1:7878/organization/invites');
    expect((await administrator().listInvitations({})).emails).toEqual(['ada@example.com']);

    const { me } = signInAs(t, newUser('ada', { email: 'ADA@example.com' }));
    const { organizations } = await me.listOrganizationInvites({ search: 'energy' });
    expect(organizations).toMatchObject([{ organization: 'northwind', displayName: 'Northwind Energy' }]);
    await me.acceptOrganizationInvite({ organization: 'northwind' });
    await expect(me.currentUser({})).resolves.toMatchObject({ currentOrganization: 'northwind', roles: ['operator'] });
    expect((await administrator().listInvitations({})).emails).toEqual([]);
    await expect(me.acceptOrganizationInvite({ organization: 'northwind' })).rejects.toThrow('No invitation');
    await expect(invite('ada@EXAMPLE.com')).rejects.toMatchObject({ code: Code.AlreadyExists });
  });

  test('makes the organization the default on request', async () => {
    const { me } = await joinOrganization(t, newUser('cy'), ['viewer'], 'northwind-north');
    await administrator().invite({ email: 'cy@example.com', roles: { include: ['viewer'] } });
    await me.acceptOrganizationInvite({ organization: 'northwind', defaultOrganization: true });
    await expect(me.currentUser({})).resolves.toMatchObject({
      organizations: ['northwind', 'northwind-north'],
      defaultOrganization: 'northwind',
    });
  });
});

describe('inviting again', () => {
  const mailsTo = async (address: string) =>
    (await readQueuedEmails(t)).filter(({ to }) => to.toLowerCase() === address);

  test('always updates the roles, but sends at most one email an hour', async () => {
    for (let attempt = 1; attempt <= 3; attempt += 1) await invite('Often@example.com', ['viewer']);
    await invite('often@example.com', ['operator']);
    expect(await mailsTo('often@example.com')).toHaveLength(1);
    const { me } = signInAs(t, newUser('often'));
    await me.acceptOrganizationInvite({ organization: 'northwind' });
    expect((await me.currentUser({})).roles).toEqual(['operator']);

    await invite('later@example.com');
    t.advance(59 * 60_000);
    await invite('later@example.com');
    expect(await mailsTo('later@example.com')).toHaveLength(1);
    t.advance(60_000);
    await invite('later@example.com');
    expect(await mailsTo('later@example.com')).toHaveLength(2);
  });

  test('sends five emails for many organizations, then one every four hours', async () => {
    const address = 'everybody@example.com';
    const rows = Array.from({ length: 8 }, (_, index) => ({
      id: `inviting-${index}`,
      path: ['northwind', `inviting-${index}`],
      displayName: `Inviting ${index}`,
    }));
    await t.app.db.orm.insert(organization).values(rows);
    for (const { id } of rows) {
      await administrator().invite({ organization: id, email: address, roles: { include: ['viewer'] } });
    }
    expect(await mailsTo(address)).toHaveLength(5);
    t.advance(4 * 3_600_000);
    for (const { id } of rows) {
      await administrator().invite({ organization: id, email: address, roles: { include: ['viewer'] } });
    }
    expect(await mailsTo(address)).toHaveLength(6);
  });
});

describe('a password reset', () => {
  test('is rate limited per address if an administrator requests it', async () => {
    const id = demoPerson('viewer').id;
    for (let attempt = 1; attempt <= 3; attempt += 1) await administrator().resetPassword({ userId: id });
    const limitedReset = administrator().resetPassword({ userId: id });
    await expect(limitedReset).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await expect(limitedReset).rejects.toThrow('Try again in 20 minutes.');
    t.advance(20 * 60_000);
    await administrator().resetPassword({ userId: id });
  });
});

describe('an invitation is rejected', () => {
  test('when accepted by someone else, or from an unverified address', async () => {
    await invite('dee@example.com');
    await invite('kim@example.com');
    const deniedIdentities = [
      [newUser('eve'), 'No invitation to'],
      // A Kelvin sign, which becomes a k in lowercase.
      [newUser('kim', { email: '\u212Aim@example.com' }), 'No invitation to'],
      [newUser('dee', { emailVerified: false }), 'Verify your email address'],
    ] as const;
    for (const [identity, expected] of deniedIdentities) {
      const { me } = signInAs(t, identity);
      expect((await me.listOrganizationInvites({})).organizations).toEqual([]);
      await expect(me.acceptOrganizationInvite({ organization: 'northwind' })).rejects.toThrow(expected);
      await expect(me.currentUser({})).resolves.toMatchObject({ organizations: [] });
    }
  });

  test('when the invited address becomes one that is already taken', async () => {
    await signInAs(t, newUser('gus')).me.currentUser({});
    await invite('gus@example.com');
    const { me } = signInAs(t, newUser('gus', { email: demoPerson('viewer').email }));
    await expect(me.currentUser({})).resolves.toMatchObject({ email: 'gus@example.com' });
    await expect(me.acceptOrganizationInvite({ organization: 'northwind' })).rejects.toThrow('Verify your email');
  });

  test("when sent without roles, with roles the inviter can't grant, or to an invalid address", async () => {
    await expect(invite('x@example.com', ['support'])).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(invite('x@example.com', ['king'])).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(invite('x@example.com', [])).rejects.toThrow('at least one role');
    await administrator().invite({ email: 'x@example.com', overrideAllowNoRoles: true });
    for (const address of ['', 'x', 'x@y', 'a b@example.com', 'a@example.com\nBcc: b@example.com']) {
      await expect(invite(address), address).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
    await expect(invite(demoPerson('viewer').email)).rejects.toThrow('already');
  });
});

test('an invitation becomes invalid when the inviter leaves or can no longer grant its roles', async () => {
  const mal = await joinOrganization(t, newUser('mal'), ['administrator']);
  await mal.users.invite({ email: 'mal-too@example.com', roles: { include: ['administrator'] } });
  await mal.users.invite({ email: 'fay@example.com', roles: { include: ['viewer'] } });
  const accept = (name: string) =>
    signInAs(t, newUser(name)).me.acceptOrganizationInvite({ organization: 'northwind' });
  const update = { case: 'replace' as const, value: { roles: ['viewer'] } };
  await administrator().updateUserRoles({ userIds: ['id-mal'], update });
  await expect(accept('mal-too')).rejects.toMatchObject({ code: Code.FailedPrecondition });
  await expect(accept('fay')).resolves.toBeDefined();
  await administrator().remove({ userIds: ['id-mal'] });
  await expect(accept('mal-too')).rejects.toThrow('Ask an administrator of');
  await invite('mal-too@example.com');
  await expect(accept('mal-too')).resolves.toBeDefined();
});

// Runs last because events have partitions for only a few weeks ahead.
test('an invitation can be renewed by inviting again and expires after 30 days', async () => {
  await invite('bo@example.com');
  t.advance(20 * DAY);
  await invite('bo@example.com', ['developer']);
  t.advance(20 * DAY);
  expect((await administrator().listInvitations({ search: 'BO@' })).emails).toEqual(['bo@example.com']);
  t.advance(11 * DAY);
  expect((await administrator().listInvitations({})).emails).toEqual([]);
  const { me } = signInAs(t, newUser('bo'));
  expect((await me.listOrganizationInvites({})).organizations).toEqual([]);
  await expect(me.acceptOrganizationInvite({ organization: 'northwind' })).rejects.toMatchObject({
    code: Code.NotFound,
  });
});
