import { Code } from '@connectrpc/connect';
import { RE2JS } from 're2js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { clientsOf, joined, signedIn, stranger } from '#server/testkit/users.ts';

const { GOOGLE, PASSWORD } = UserValidation_SignInProvider;
const northwind = String.raw`.*@northwind\.example`;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterEach(() => t.app.db.orm.delete(userValidation));
afterAll(() => t.close());

const administrator = () => clientsOf(t.as('administrator'));
const denied = { code: Code.PermissionDenied };
const failed = { code: Code.FailedPrecondition };

describe('rules for signing in', () => {
  it('bar a member from the organization and what is below, not from their own profile; tokens go on', async () => {
    const ada = stranger('ada');
    const { me, users, tokens } = await joined(t, ada, ['administrator']);
    const { token } = await tokens.create({ name: 'machine' });
    await administrator().users.updateUserValidation({ emailValidationRegex: northwind });
    const sentence = 'takes only addresses that match';
    for (const organization of ['northwind', 'northwind-north', undefined]) {
      await expect(users.list({ organization })).rejects.toMatchObject(denied);
      await expect(users.list({ organization })).rejects.toThrow(sentence);
    }
    const user = await me.currentUser({});
    expect([user.organizations, user.currentOrganization]).toEqual([['northwind'], undefined]);
    await expect(clientsOf(t.with(token)).me.currentUser({})).resolves.toMatchObject({
      currentOrganization: 'northwind',
    });
    await administrator().users.updateUserValidation({ emailValidationRegex: '' });
    await expect(users.list({})).resolves.toBeDefined();
  });

  it('are about the way in and the verification of this very sign-in', async () => {
    const organizationOf = async (more: object) =>
      (await signedIn(t, { ...demoPerson('viewer'), ...more }).me.currentUser({})).currentOrganization;
    await administrator().users.updateUserValidation({ requireVerifiedEmailAddresses: true });
    expect(await organizationOf({ emailVerified: false })).toBeUndefined();
    expect(await organizationOf({})).toBe('northwind');
    const google = clientsOf(t.with(idTokenOf({ ...demoPerson('administrator'), provider: 'google.com' })));
    await google.users.updateUserValidation({ replaceAllowedSignInProviders: [GOOGLE] });
    expect(await organizationOf({})).toBeUndefined();
    expect(await organizationOf({ provider: 'saml.elsewhere' })).toBeUndefined();
    expect(await organizationOf({ provider: 'google.com' })).toBe('northwind');
    await expect(
      google.users.createUser({ email: 'x@example.com', name: 'X', roles: { include: ['viewer'] } }),
    ).rejects.toThrow('does not let people sign in with a password');
    await expect(google.users.getUserValidation({})).resolves.toMatchObject({
      allowedSignInProviders: [GOOGLE],
      requireVerifiedEmailAddresses: true,
    });
    await google.users.updateUserValidation({ allowAllSignInProviders: true });
    expect(await organizationOf({})).toBe('northwind');
  });

  it('cannot lock out whoever makes them, and must be a pattern that cannot stall the server', async () => {
    const update = (emailValidationRegex: string) =>
      administrator().users.updateUserValidation({ emailValidationRegex });
    await expect(update(String.raw`.*@elsewhere\.example`)).rejects.toThrow('lock you out');
    await expect(
      administrator().users.updateUserValidation({ replaceAllowedSignInProviders: [GOOGLE] }),
    ).rejects.toMatchObject(failed);
    for (const wrong of ['(', '(?=a)', String.raw`(a)\1`, '(.?){1000}'.repeat(9), 'a'.repeat(201)]) {
      await expect(update(wrong), wrong).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
    await administrator().users.updateUserValidation({
      deprecatedEmailValidationRegex: { updated: true, value: northwind },
      replaceAllowedSignInProviders: [PASSWORD, GOOGLE],
    });
    await expect(administrator().users.getUserValidation({})).resolves.toMatchObject({
      emailValidationRegex: northwind,
    });
  });

  it('hold for invitations too, and can be tried beforehand', async () => {
    const { users } = administrator();
    const custom = { emailValidationRegex: String.raw`(viewer|operator)@northwind\.example` };
    const address = (value: string) => ({ validate: { case: 'emailAddress', value } as const });
    await expect(
      users.testUserValidation({ ...address('viewer@northwind.example'), customValidation: custom }),
    ).resolves.toBeDefined();
    await expect(
      users.testUserValidation({ ...address('X@example.com'), customValidation: custom }),
    ).rejects.toMatchObject(failed);
    const all = { validate: { case: 'selection', value: {} } } as const;
    await expect(users.testUserValidation({ ...all, customValidation: custom })).rejects.toThrow(
      'developer@northwind.example',
    );
    await users.remove({ userIds: ['id-ada'] });
    await users.updateUserValidation({ emailValidationRegex: northwind });
    await expect(users.testUserValidation(all)).resolves.toBeDefined();
    await expect(
      users.invite({ email: 'x@northwind.example.elsewhere.com', roles: { include: ['viewer'] } }),
    ).rejects.toMatchObject(failed);
    await users.invite({ email: 'NEW@Northwind.example', roles: { include: ['viewer'] } });
  });
});

describe('a pattern that is slow to match', () => {
  /** Each takes many milliseconds, whatever the limits on patterns: no address shares anything with another. */
  const slow = (last: string) => String.raw`\pL*.*(?:\PN{0,250}a){3}.*${last}`;
  const letters = (count: number) => Array.from({ length: count }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('');
  const most = 120;
  beforeAll(async () => {
    const people = Array.from({ length: most }, (_, index) => ({
      id: `long-${index}`,
      email: `${letters(60)}@${letters(60)}.${letters(60)}.example`,
      name: 'Long',
    }));
    await t.app.db.orm.insert(appUser).values(people);
    await t.app.db.orm
      .insert(membership)
      .values(people.map(({ id }) => ({ organization: 'northwind', userId: id, roles: ['viewer'] })));
  });
  const test = (last: string) =>
    administrator().users.testUserValidation({
      customValidation: { emailValidationRegex: slow(last) },
      validate: { case: 'selection', value: {} },
    });

  it('keeps nobody else waiting while it is tried against the members', async () => {
    const testExact = vi.spyOn(RE2JS.prototype, 'testExact');
    let triedInOneTurn = 0;
    let tried = 0;
    let over = false;
    const turn = (): void => {
      const now = testExact.mock.calls.length;
      triedInOneTurn = Math.max(triedInOneTurn, now - tried);
      tried = now;
      if (!over) setImmediate(turn);
    };
    turn();
    await expect(test('q')).rejects.toBeDefined();
    over = true;
    turn();
    testExact.mockRestore();
    expect(tried).toBeGreaterThan(20);
    expect(triedInOneTurn).toBeLessThan(10);
  });

  it('is tried once at a time in an organization', async () => {
    const outcomes = await Promise.allSettled([test('r'), test('r'), test('r')]);
    const busy = outcomes.filter((outcome) =>
      String((outcome as PromiseRejectedResult).reason).includes('being tried already'),
    );
    expect(busy).toHaveLength(2);
  });

  it('is not tried again for an address whose verdict is known', async () => {
    const ada = stranger('ada-slow', { email: `${letters(60)}@${letters(60)}.example` });
    const { me } = await joined(t, ada, ['viewer']);
    await t.app.db.orm.insert(userValidation).values({ organization: 'northwind', emailRegex: slow('s') });
    const testExact = vi.spyOn(RE2JS.prototype, 'testExact');
    for (let call = 0; call < 5; call += 1) await me.currentUser({});
    expect(testExact).toHaveBeenCalledTimes(1);
    testExact.mockRestore();
  });
});
