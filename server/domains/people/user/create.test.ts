import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, readQueuedEmails, signInAs, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator')).users;
const roles = { include: ['viewer'] };
const newcomer = demoPerson('newcomer').email;

describe('creating an account', () => {
  test('creates a member who can sign in, and emails them without revealing the password', async () => {
    const password = 'Chosen-for-ada-1';
    const created = await administrator().createUser({
      email: 'Ada@example.com',
      name: 'Ada',
      password,
      passwordReset: true,
      sendVerificationMail: true,
      roles,
    });
    expect(created).toMatchObject({
      email: 'Ada@example.com',
      name: 'Ada',
      roles: ['viewer'],
      organization: 'northwind',
    });
    expect(t.accounts.created).toMatchObject([
      { id: created.id, email: 'Ada@example.com', password, sendVerification: true },
    ]);
    const emails = await readQueuedEmails(t);
    expect(emails.map(({ to }) => to)).toEqual(['Ada@example.com']);
    expect(JSON.stringify(emails)).not.toContain(password);
    const { me } = signInAs(t, newUser('Ada', { id: created.id, email: 'Ada@example.com' }));
    await expect(me.currentUser({})).resolves.toMatchObject({
      currentOrganization: 'northwind',
      passwordResetRecommended: true,
      passwordResetRecommendedReason: 'An administrator chose your password. Choose your own.',
    });
    await me.logPasswordUpdated({});
    const after = await me.currentUser({});
    expect([after.passwordResetRecommended, after.passwordResetRecommendedReason]).toEqual([false, undefined]);
  });

  test('emails a link to set a password, on request', async () => {
    await administrator().createUser({ email: 'bo@example.com', name: 'Bo', sendPasswordResetMail: true, roles });
    expect(t.accounts.sent.at(-1)).toEqual({ kind: 'reset', email: 'bo@example.com' });
    expect((await readQueuedEmails(t)).at(-1)?.body).toContain('/login/forgot-password');
  });

  test('invites an existing account instead if allowed, and reveals nothing about it', async () => {
    const create = { email: newcomer.toUpperCase(), name: 'Someone', roles };
    await expect(administrator().createUser(create)).rejects.toMatchObject({ code: Code.AlreadyExists });
    const created = await administrator().createUser({ ...create, allowInviteInstead: true });
    expect([created.id, created.name, created.roles]).toEqual(['', '', []]);
    expect((await administrator().listInvitations({})).emails).toEqual([newcomer]);
    await expect(
      administrator().createUser({ ...create, email: demoPerson('viewer').email, allowInviteInstead: true }),
    ).rejects.toThrow('already a member of "northwind"');
  });

  test("rejects weak passwords, missing names, and roles that the caller can't grant", async () => {
    const create = (overrides: object) =>
      administrator().createUser({ email: 'cy@example.com', name: 'Cy', roles, ...overrides });
    await expect(create({ password: 'x' })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(create({ name: ' ' })).rejects.toThrow('Enter a name');
    await expect(create({ name: 'Ada\u0007' })).rejects.toThrow('an invisible character (U+0007)');
    await expect(create({ roles: undefined })).rejects.toThrow('at least one role');
    await expect(create({ roles: { include: ['support'] } })).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(t.accounts.created.map(({ email }) => email)).not.toContain('cy@example.com');
  });
});

describe('creating a batch', () => {
  test("uses the batch's roles and flags for users that have none of their own", async () => {
    const { users } = await administrator().createUsers({
      roles,
      sendVerificationMail: true,
      users: [
        { email: 'dee@example.com', name: 'Dee' },
        { email: 'eve@example.com', name: 'Eve', roles: { include: ['installer'] } },
      ],
    });
    expect(users.map((user) => user.roles)).toEqual([['viewer'], ['installer']]);
    expect(t.accounts.created.slice(-2).every(({ sendVerification }) => sendVerification)).toBe(true);
  });

  test('creates no account if a user is invalid, and lists those created before an error', async () => {
    const batch = (...users: object[]) => administrator().createUsers({ roles, users });
    const fay = { email: 'fay@example.com', name: 'Fay' };
    await expect(batch(fay, { email: 'x', name: 'X' })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(batch(fay, { ...fay, email: 'FAY@example.com' })).rejects.toThrow('more than once');
    expect(t.accounts.created.map(({ email }) => email)).not.toContain(fay.email);
    const weak = { email: 'gus@example.com', name: 'Gus', password: 'x' };
    await expect(batch(fay, weak)).rejects.toThrow('Accounts were already created for fay@example.com');
  });
});

test("resets only members' passwords", async () => {
  await administrator().resetPassword({ userId: 'demo-viewer' });
  expect(t.accounts.sent.at(-1)).toEqual({ kind: 'reset', email: demoPerson('viewer').email });
  await expect(administrator().resetPassword({ userId: 'demo-support' })).rejects.toMatchObject({
    code: Code.NotFound,
  });
});
