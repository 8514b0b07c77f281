import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const operator = demoPerson('operator');
const get = (bearer: string | undefined, organization?: string) =>
  t.with(bearer).client(OrganizationService).get({ organization });

describe('a call', () => {
  it('is refused without a bearer token, and with one that proves nothing', async () => {
    const wrong = {
      none: undefined,
      expired: idTokenOf({ ...operator, lifetime: -1 }),
      foreign: idTokenOf({ ...operator, audience: 'demo-elsewhere' }),
      tampered: `${idTokenOf(operator)}c2lnbmVk`,
      'not a token': 'nonsense',
      'unknown API token': 'qd_nobody-made-this-one',
    };
    for (const [kind, bearer] of Object.entries(wrong)) {
      await expect(get(bearer), kind).rejects.toMatchObject({ code: Code.Unauthenticated });
    }
  });

  it('acts in the default organization when it names none, or an empty one', async () => {
    const bearer = idTokenOf(operator);
    await expect(get(bearer)).resolves.toMatchObject({ organization: 'northwind' });
    await expect(get(bearer, '')).resolves.toMatchObject({ organization: 'northwind' });
  });

  it('acts in a descendant, and not elsewhere', async () => {
    const bearer = idTokenOf(operator);
    await expect(get(bearer, 'northwind-north-trials')).resolves.toMatchObject({
      displayName: 'Northwind North Trials',
    });
    const refusal = (slug: string) => get(bearer, slug).then(() => 'accepted', String);
    expect(await refusal('quarterdeck')).toContain('permission_denied');
    // Word for word the same, so that nobody can find out which organizations exist.
    expect((await refusal('quarterdeck')).replace('quarterdeck', '…')).toBe(
      (await refusal('no-such-place')).replace('no-such-place', '…'),
    );
  });

  it('of support staff acts in every organization, with every permission there', async () => {
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

describe('somebody who signs in for the first time', () => {
  const ada = { id: 'new-ada', email: 'ada@example.com', name: 'Ada' };

  it('is known from then on, as a member of nothing', async () => {
    const user = t.with(idTokenOf(ada)).client(CurrentUserService);
    const first = await user.currentUser({});
    expect(first).toMatchObject({ id: ada.id, email: ada.email, organizations: [], acceptedTac: false });
    expect(first.currentOrganization).toBeUndefined();
    await user.updateMissionControlSettings({ update: '{"defaultScreen":"/devices"}' });
    await expect(user.currentUser({})).resolves.toMatchObject({
      missionControlSettings: '{"defaultScreen":"/devices"}',
    });
    await expect(get(idTokenOf(ada))).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  it('is called as the provider calls them from then on', async () => {
    const whoIs = (changed: object) =>
      t
        .with(idTokenOf({ ...ada, ...changed }))
        .client(CurrentUserService)
        .currentUser({});
    const renamed = { name: 'Ada Lovelace', email: 'lovelace@example.com' };
    await expect(whoIs(renamed)).resolves.toMatchObject(renamed);
    await expect(whoIs({ ...renamed, email: operator.email })).resolves.toMatchObject(renamed);
  });

  it('is called what can be seen and stored of that, at first and afterwards', async () => {
    const whoIs = (name: string) =>
      t
        .with(idTokenOf({ id: 'new-mal', email: 'mal@example.com', name }))
        .client(CurrentUserService)
        .currentUser({});
    await expect(whoIs(`\u202E${'x'.repeat(5001)}`)).resolves.toMatchObject({ name: 'x'.repeat(200) });
    await expect(whoIs('Mal\u2066\nory')).resolves.toMatchObject({ name: 'Mal ory' });
  });

  it('cannot sign in in the future, beyond every revocation', async () => {
    const early = idTokenOf({ ...ada, authTime: new Date(Date.now() + 600_000) });
    await expect(get(early)).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(get(early)).rejects.toThrow('in the future');
  });

  it('is not mistaken for somebody else with the same address', async () => {
    const impostor = idTokenOf({ ...operator, id: 'somebody-else' });
    await expect(get(impostor)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});
