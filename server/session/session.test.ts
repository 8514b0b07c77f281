import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const operator = demoPerson('operator');
const get = (bearer: string | undefined, organization?: string) =>
  t.with(bearer).client(OrganizationService).get({ organization });

describe('a call', () => {
  test('is denied without a bearer token or with an invalid one', async () => {
    const invalidTokens = {
      none: undefined,
      expired: createIdToken({ ...operator, lifetime: -1 }),
      foreign: createIdToken({ ...operator, audience: 'demo-elsewhere' }),
      tampered: `${createIdToken(operator)}c2lnbmVk`,
      'not a token': 'nonsense',
      'unknown API token': 'qd_nobody-made-this-one',
    };
    for (const [kind, bearer] of Object.entries(invalidTokens)) {
      await expect(get(bearer), kind).rejects.toMatchObject({ code: Code.Unauthenticated });
    }
  });

  test('uses the default organization when none is named', async () => {
    const bearer = createIdToken(operator);
    await expect(get(bearer)).resolves.toMatchObject({ organization: 'northwind' });
    await expect(get(bearer, '')).resolves.toMatchObject({ organization: 'northwind' });
  });

  test('can use only its own organization and descendants', async () => {
    const bearer = createIdToken(operator);
    await expect(get(bearer, 'northwind-north-trials')).resolves.toMatchObject({
      displayName: 'Northwind North Trials',
    });
    const errorFor = (slug: string) => get(bearer, slug).then(() => 'accepted', String);
    expect(await errorFor('quarterdeck')).toContain('permission_denied');
    // The messages are the same, so nobody can discover which organizations exist.
    expect((await errorFor('quarterdeck')).replace('quarterdeck', '…')).toBe(
      (await errorFor('no-such-place')).replace('no-such-place', '…'),
    );
  });

  test('has every permission in every organization if made by support staff', async () => {
    const user = await t.as('support').client(CurrentUserService).currentUser({ organization: 'northwind' });
    expect(user).toMatchObject({
      currentOrganization: 'northwind',
      organizations: ['quarterdeck'],
      roles: ['support'],
    });
    const administrator = await t.as('administrator').client(CurrentUserService).currentUser({});
    expect(user.currentOrganizationPermissions?.include.toSorted()).toEqual(
      administrator.currentOrganizationPermissions?.include.toSorted(),
    );
  });
});

describe('a first-time user', () => {
  const ada = { id: 'new-ada', email: 'ada@example.com', name: 'Ada' };

  test('is registered without a membership', async () => {
    const user = t.with(createIdToken(ada)).client(CurrentUserService);
    const first = await user.currentUser({});
    expect(first).toMatchObject({ id: ada.id, email: ada.email, organizations: [], acceptedTac: false });
    expect(first.currentOrganization).toBeUndefined();
    await user.updateMissionControlSettings({ update: '{"defaultScreen":"/devices"}' });
    await expect(user.currentUser({})).resolves.toMatchObject({
      missionControlSettings: '{"defaultScreen":"/devices"}',
    });
    await expect(get(createIdToken(ada))).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test('takes the name and address from the provider', async () => {
    const currentUserOf = (changed: object) =>
      t
        .with(createIdToken({ ...ada, ...changed }))
        .client(CurrentUserService)
        .currentUser({});
    const renamed = { name: 'Ada Lovelace', email: 'lovelace@example.com' };
    await expect(currentUserOf(renamed)).resolves.toMatchObject(renamed);
    await expect(currentUserOf({ ...renamed, email: operator.email })).resolves.toMatchObject(renamed);
  });

  test('has their name truncated, and its invisible characters removed', async () => {
    const currentUserOf = (name: string) =>
      t
        .with(createIdToken({ id: 'new-mal', email: 'mal@example.com', name }))
        .client(CurrentUserService)
        .currentUser({});
    await expect(currentUserOf(`\u202E${'x'.repeat(5001)}`)).resolves.toMatchObject({ name: 'x'.repeat(200) });
    await expect(currentUserOf('Mal\u2066\nory')).resolves.toMatchObject({ name: 'Mal ory' });
  });

  test("can't sign in with a time in the future", async () => {
    const futureToken = createIdToken({ ...ada, authTime: new Date(Date.now() + 600_000) });
    await expect(get(futureToken)).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(get(futureToken)).rejects.toThrow('in the future');
  });

  test("can't take over an account with the same address", async () => {
    const impostor = createIdToken({ ...operator, id: 'someone-else' });
    await expect(get(impostor)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});
