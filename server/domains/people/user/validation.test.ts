import { Code } from '@connectrpc/connect';
import { RE2JS } from 're2js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { UserValidation_SignInProvider } from '#proto/gen/hiber/user_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, signInAs, newUser } from '#server/testkit/users.ts';

const { GOOGLE, PASSWORD } = UserValidation_SignInProvider;
const northwind = String.raw`.*@northwind\.example`;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterEach(() => t.app.db.orm.delete(userValidation));
afterAll(() => t.close());

const administrator = () => createClients(t.as('administrator'));
const denied = { code: Code.PermissionDenied };
const failed = { code: Code.FailedPrecondition };

describe('sign-in rules', () => {
  test('bar a member from an organization, but not from their own profile or tokens', async () => {
    const ada = newUser('ada');
    const { me, users, tokens } = await joinOrganization(t, ada, ['administrator']);
    const { token } = await tokens.create({ name: 'machine' });
    await administrator().users.updateUserValidation({ emailValidationRegex: northwind });
    const reason = 'only admits addresses that match';
    for (const organization of ['northwind', 'northwind-north', undefined]) {
      await expect(users.list({ organization })).rejects.toMatchObject(denied);
      await expect(users.list({ organization })).rejects.toThrow(reason);
    }
    const user = await me.currentUser({});
    expect([user.organizations, user.currentOrganization]).toEqual([['northwind'], undefined]);
    await expect(createClients(t.with(token)).me.currentUser({})).resolves.toMatchObject({
      currentOrganization: 'northwind',
    });
    await administrator().users.updateUserValidation({ emailValidationRegex: '' });
    await expect(users.list({})).resolves.toBeDefined();
  });

  test('check the provider and verification of the current sign-in', async () => {
    const organizationOf = async (overrides: object) =>
      (await signInAs(t, { ...demoPerson('viewer'), ...overrides }).me.currentUser({})).currentOrganization;
    await administrator().users.updateUserValidation({ requireVerifiedEmailAddresses: true });
    expect(await organizationOf({ emailVerified: false })).toBeUndefined();
    expect(await organizationOf({})).toBe('northwind');
    const google = createClients(t.with(createIdToken({ ...demoPerson('administrator'), provider: 'google.com' })));
    await google.users.updateUserValidation({ replaceAllowedSignInProviders: [GOOGLE] });
    expect(await organizationOf({})).toBeUndefined();
    expect(await organizationOf({ provider: 'saml.elsewhere' })).toBeUndefined();
    expect(await organizationOf({ provider: 'google.com' })).toBe('northwind');
    await expect(
      google.users.createUser({ email: 'x@example.com', name: 'X', roles: { include: ['viewer'] } }),
    ).rejects.toThrow("doesn't let people sign in with a password");
    await expect(google.users.getUserValidation({})).resolves.toMatchObject({
      allowedSignInProviders: [GOOGLE],
      requireVerifiedEmailAddresses: true,
    });
    await google.users.updateUserValidation({ allowAllSignInProviders: true });
    expect(await organizationOf({})).toBe('northwind');
  });

  test("can't lock out their author, or contain patterns that could stall the server", async () => {
    const update = (emailValidationRegex: string) =>
      administrator().users.updateUserValidation({ emailValidationRegex });
    await expect(update(String.raw`.*@elsewhere\.example`)).rejects.toThrow('lock you out');
    await expect(
      administrator().users.updateUserValidation({ replaceAllowedSignInProviders: [GOOGLE] }),
    ).rejects.toMatchObject(failed);
    for (const pattern of ['(', '(?=a)', String.raw`(a)\1`, '(.?){1000}'.repeat(9), 'a'.repeat(201)]) {
      await expect(update(pattern), pattern).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
    await administrator().users.updateUserValidation({
      deprecatedEmailValidationRegex: { updated: true, value: northwind },
      replaceAllowedSignInProviders: [PASSWORD, GOOGLE],
    });
    await expect(administrator().users.getUserValidation({})).resolves.toMatchObject({
      emailValidationRegex: northwind,
    });
  });

  test('also apply to invitations and can be tested beforehand', async () => {
    const { users } = administrator();
    const custom = { emailValidationRegex: String.raw`(viewer|operator)@northwind\.example` };
    const address = (value: string) => ({ validate: { case: 'emailAddress', value } as const });
    await expect(
      users.testUserValidation({ ...address('viewer@northwind.example'), customValidation: custom }),
    ).resolves.toBeDefined();
    await expect(
      users.testUserValidation({ ...address('X@example.com'), customValidation: custom }),
    ).rejects.toMatchObject(failed);
    const request = { validate: { case: 'selection', value: {} } } as const;
    await expect(users.testUserValidation({ ...request, customValidation: custom })).rejects.toThrow(
      'developer@northwind.example',
    );
    await users.remove({ userIds: ['id-ada'] });
    await users.updateUserValidation({ emailValidationRegex: northwind });
    await expect(users.testUserValidation(request)).resolves.toBeDefined();
    await expect(
      users.invite({ email: 'x@northwind.example.elsewhere.com', roles: { include: ['viewer'] } }),
    ).rejects.toMatchObject(failed);
    await users.invite({ email: 'NEW@Northwind.example', roles: { include: ['viewer'] } });
  });
});

describe('a slow pattern', () => {
  /** Takes many milliseconds per match despite the limits on patterns because the addresses have nothing in common. */
  const slowPattern = (suffix: string) => String.raw`\pL*.*(?:\PN{0,250}a){3}.*${suffix}`;
  const randomLetters = (count: number) =>
    Array.from({ length: count }, () => (Math.random() < 0.5 ? 'a' : 'b')).join('');
  const MEMBERS = 120;
  beforeAll(async () => {
    const people = Array.from({ length: MEMBERS }, (_, index) => ({
      id: `long-${index}`,
      email: `${randomLetters(60)}@${randomLetters(60)}.${randomLetters(60)}.example`,
      name: 'Long',
    }));
    await t.app.db.orm.insert(appUser).values(people);
    await t.app.db.orm
      .insert(membership)
      .values(people.map(({ id }) => ({ organization: 'northwind', userId: id, roles: ['viewer'] })));
  });
  const testPattern = (suffix: string) =>
    administrator().users.testUserValidation({
      customValidation: { emailValidationRegex: slowPattern(suffix) },
      validate: { case: 'selection', value: {} },
    });

  test('does not block other calls while being tested against the members', async () => {
    const testExact = vi.spyOn(RE2JS.prototype, 'testExact');
    let maxTestsPerTurn = 0;
    let testCount = 0;
    let finished = false;
    const recordTurn = (): void => {
      const total = testExact.mock.calls.length;
      maxTestsPerTurn = Math.max(maxTestsPerTurn, total - testCount);
      testCount = total;
      if (!finished) setImmediate(recordTurn);
    };
    recordTurn();
    await expect(testPattern('q')).rejects.toBeDefined();
    finished = true;
    recordTurn();
    testExact.mockRestore();
    expect(testCount).toBeGreaterThan(20);
    expect(maxTestsPerTurn).toBeLessThan(10);
  });

  test('has at most one running test per organization', async () => {
    const outcomes = await Promise.allSettled([testPattern('r'), testPattern('r'), testPattern('r')]);
    const busy = outcomes.filter((outcome) =>
      String((outcome as PromiseRejectedResult).reason).includes('Another test of the rules'),
    );
    expect(busy).toHaveLength(2);
  });

  test('is matched once per address', async () => {
    const ada = newUser('ada-slow', { email: `${randomLetters(60)}@${randomLetters(60)}.example` });
    const { me } = await joinOrganization(t, ada, ['viewer']);
    await t.app.db.orm.insert(userValidation).values({ organization: 'northwind', emailRegex: slowPattern('s') });
    const testExact = vi.spyOn(RE2JS.prototype, 'testExact');
    for (let call = 0; call < 5; call += 1) await me.currentUser({});
    expect(testExact).toHaveBeenCalledTimes(1);
    testExact.mockRestore();
  });
});
