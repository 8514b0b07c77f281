import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type } from '#proto/gen/hiber/token_pb.ts';
import { appUser } from '#server/db/schema/user.ts';
import { SignInTooOldError } from '#server/identity/accounts.ts';
import { createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, signInAs, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const failedPrecondition = { code: Code.FailedPrecondition };
const unauthenticated = { code: Code.Unauthenticated };

describe('deleting your own account', () => {
  test('deletes the login, memberships, tokens, and settings, and keeps the address', async () => {
    const ada = newUser('ada', { authTime: new Date(t.app.now().getTime() - 60_000) });
    const { me, tokens } = await joinOrganization(t, ada, ['developer']);
    await me.updateMissionControlSettings({ update: '{"a":1}' });
    const { token } = await tokens.create({ name: 'mine', type: Token_Type.PERSONAL });
    await me.deleteCurrentUser({});
    expect(t.accounts.removed).toEqual([createIdToken(ada)].map(() => expect.stringContaining('.')));
    const [row] = await t.app.db.orm.select().from(appUser).where(eq(appUser.id, 'id-ada'));
    expect(row).toMatchObject({
      email: 'ada@example.com',
      name: '',
      missionControlSettings: '{}',
      defaultOrganization: null,
    });
    // Neither the old ID token nor a new one for the same account works.
    await expect(me.currentUser({})).rejects.toMatchObject({
      ...unauthenticated,
      rawMessage: 'This account was deleted.',
    });
    await expect(signInAs(t, newUser('ada')).me.currentUser({})).rejects.toMatchObject(unauthenticated);
    await expect(createClients(t.with(token)).me.currentUser({})).rejects.toMatchObject(unauthenticated);
    const { users } = await createClients(t.as('administrator')).users.list({ selection: { search: 'ada' } });
    expect(users).toEqual([]);
    // A new account with the same address belongs to a new person.
    const newAccount = await signInAs(t, newUser('ada', { id: 'id-other' })).me.currentUser({});
    expect([newAccount.id, newAccount.organizations]).toEqual(['id-other', []]);
  });

  test('is denied for an API token and explains why', async () => {
    const { tokens } = createClients(t.as('developer'));
    const { token } = await tokens.create({ name: 'deleter', userPermissions: { include: [UserPermission.DELETE] } });
    await expect(createClients(t.with(token)).me.deleteCurrentUser({})).rejects.toThrow("An API token can't delete");
  });

  test('is rejected for the last administrator and changes nothing', async () => {
    const { me } = createClients(t.as('administrator'));
    await expect(me.deleteCurrentUser({})).rejects.toMatchObject(failedPrecondition);
    await expect(me.currentUser({})).resolves.toMatchObject({ organizations: ['northwind'], roles: ['administrator'] });
  });

  test('is rolled back when the provider requires a fresh sign-in', async () => {
    const remove = t.app.accounts.remove;
    onTestFinished(() => void (t.app.accounts.remove = remove));
    t.app.accounts.remove = () => Promise.reject(new SignInTooOldError('Sign in again to delete your account.'));
    const { me } = createClients(t.as('viewer'));
    await expect(me.deleteCurrentUser({})).rejects.toMatchObject({
      ...failedPrecondition,
      rawMessage: 'Sign in again to delete your account.',
    });
    await expect(me.currentUser({})).resolves.toMatchObject({ roles: ['viewer'], name: 'Bram de Wit' });
  });
});
