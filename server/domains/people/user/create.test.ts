import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { clientsOf, mailsOf, signedIn, stranger } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => clientsOf(t.as('administrator')).users;
const roles = { include: ['viewer'] };
const newcomer = demoPerson('newcomer').email;

describe('creating an account', () => {
  it('makes a member who signs in with it, and is told by mail without the password', async () => {
    const password = 'Chosen-for-ada-1';
    const made = await administrator().createUser({
      email: 'Ada@example.com',
      name: 'Ada',
      password,
      passwordReset: true,
      sendVerificationMail: true,
      roles,
    });
    expect(made).toMatchObject({ email: 'Ada@example.com', name: 'Ada', roles: ['viewer'], organization: 'northwind' });
    expect(t.accounts.created).toMatchObject([
      { id: made.id, email: 'Ada@example.com', password, sendVerification: true },
    ]);
    const mails = await mailsOf(t);
    expect(mails.map(({ to }) => to)).toEqual(['Ada@example.com']);
    expect(JSON.stringify(mails)).not.toContain(password);
    const { me } = signedIn(t, stranger('Ada', { id: made.id, email: 'Ada@example.com' }));
    await expect(me.currentUser({})).resolves.toMatchObject({
      currentOrganization: 'northwind',
      passwordResetRecommended: true,
      passwordResetRecommendedReason: 'An administrator chose your password: choose one of your own.',
    });
    await me.logPasswordUpdated({});
    const after = await me.currentUser({});
    expect([after.passwordResetRecommended, after.passwordResetRecommendedReason]).toEqual([false, undefined]);
  });

  it('without a password sends the way to one, when asked', async () => {
    await administrator().createUser({ email: 'bo@example.com', name: 'Bo', sendPasswordResetMail: true, roles });
    expect(t.accounts.sent.at(-1)).toEqual({ kind: 'reset', email: 'bo@example.com' });
    expect((await mailsOf(t)).at(-1)?.body).toContain('/login/forgot-password');
  });

  it('invites instead who has an account, or refuses, and tells nothing of them', async () => {
    const create = { email: newcomer.toUpperCase(), name: 'Somebody', roles };
    await expect(administrator().createUser(create)).rejects.toMatchObject({ code: Code.AlreadyExists });
    const made = await administrator().createUser({ ...create, allowInviteInstead: true });
    expect([made.id, made.name, made.roles]).toEqual(['', '', []]);
    expect((await administrator().listInvitations({})).emails).toEqual([newcomer]);
    await expect(
      administrator().createUser({ ...create, email: demoPerson('viewer').email, allowInviteInstead: true }),
    ).rejects.toThrow('a member of "northwind" already');
  });

  it('refuses weak passwords, missing names and roles that are not the caller’s to give', async () => {
    const create = (more: object) =>
      administrator().createUser({ email: 'cy@example.com', name: 'Cy', roles, ...more });
    await expect(create({ password: 'x' })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(create({ name: ' ' })).rejects.toThrow('needs a name');
    await expect(create({ name: 'Ada\u0007' })).rejects.toThrow('an invisible character (U+0007)');
    await expect(create({ roles: undefined })).rejects.toThrow('at least one role');
    await expect(create({ roles: { include: ['support'] } })).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(t.accounts.created.map(({ email }) => email)).not.toContain('cy@example.com');
  });
});

describe('creating a batch', () => {
  it('takes roles and flags of the batch where a user has none', async () => {
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

  it('makes none when one cannot be, and says what was made when the provider refuses a later one', async () => {
    const batch = (...users: object[]) => administrator().createUsers({ roles, users });
    const fay = { email: 'fay@example.com', name: 'Fay' };
    await expect(batch(fay, { email: 'x', name: 'X' })).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(batch(fay, { ...fay, email: 'FAY@example.com' })).rejects.toThrow('more than once');
    expect(t.accounts.created.map(({ email }) => email)).not.toContain(fay.email);
    const weak = { email: 'gus@example.com', name: 'Gus', password: 'x' };
    await expect(batch(fay, weak)).rejects.toThrow('Made before it failed: fay@example.com');
  });
});

it('a reset is mailed to members only', async () => {
  await administrator().resetPassword({ userId: 'demo-viewer' });
  expect(t.accounts.sent.at(-1)).toEqual({ kind: 'reset', email: demoPerson('viewer').email });
  await expect(administrator().resetPassword({ userId: 'demo-support' })).rejects.toMatchObject({
    code: Code.NotFound,
  });
});
