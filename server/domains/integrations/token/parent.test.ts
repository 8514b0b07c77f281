import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { membership } from '#server/db/schema/user.ts';
import { createIdToken, demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { MODEMS, TAGS_MANAGE, TOKENS } = OrganizationPermission;
const HOUR = 3600 * 1000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(tokens));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(TokenService);
const timestamp = (ms: number) => ({ textual: new Date(ms).toISOString() });
const client = (secret: string) => t.with(secret).client(TokenService);
const isValid = (secret: string) =>
  t
    .with(secret)
    .client(CurrentUserService)
    .currentUser({})
    .then(
      () => true,
      () => false,
    );

/** Creates a token that lasts an hour and may create tokens. Also returns its expiry. */
async function createParent(overrides: object = {}) {
  const end = t.app.now().getTime() + HOUR;
  const organizationPermissions = { include: [TOKENS, MODEMS] };
  const response = await administrator().create({
    name: 'maker',
    expiresAt: timestamp(end),
    organizationPermissions,
    ...overrides,
  });
  return { ...response, end };
}

describe('the expiry of a new token', () => {
  test('defaults to the expiry of the token that creates it, and may be earlier', async () => {
    const { token: secret, end } = await createParent();
    const inheritingToken = await client(secret).create({ name: 'inherited' });
    expect(inheritingToken.created?.expiresAt?.textual).toBe(new Date(end).toISOString());
    const soonerToken = await client(secret).create({ name: 'sooner', expiresAt: timestamp(end - 1000) });
    expect(soonerToken.created?.expiresAt?.textual).toBe(new Date(end - 1000).toISOString());
    expect(await isValid(inheritingToken.token)).toBe(true);
  });

  test("can't be later than the expiry of the token that creates it, for any type of token", async () => {
    const { token: secret, end } = await createParent();
    const laterCreation = client(secret).create({ name: 'later', expiresAt: timestamp(end + 1000) });
    await expect(laterCreation).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(laterCreation).rejects.toThrow(`expires at ${new Date(end).toISOString()}`);
    const personal = { type: Token_Type.PERSONAL, organizationPermissions: {} };
    const personalParent = await createParent({ name: 'personal', ...personal });
    const child = await client(personalParent.token).create({ name: 'personal too', type: Token_Type.PERSONAL });
    expect(child.created?.expiresAt?.textual).toBe(new Date(personalParent.end).toISOString());
  });

  test('is optional if a person or a token without an expiry creates the token', async () => {
    const { created } = await administrator().create({ name: 'by hand' });
    expect(created?.expiresAt).toBeUndefined();
    const { token: secret } = await createParent({ expiresAt: undefined });
    const lastingToken = await client(secret).create({ name: 'lasting' });
    expect(lastingToken.created?.expiresAt).toBeUndefined();
  });
});

describe('an expiring token', () => {
  test("can't grant permissions to a token that outlasts it, but may revoke them", async () => {
    const { token: secret } = await createParent();
    const { created } = await administrator().create({
      name: 'lasting',
      organizationPermissions: { include: [MODEMS, TAGS_MANAGE] },
    });
    const tokenIds = [created!.id];
    const grant = client(secret).updateTokenOrganizationPermissions({ tokenIds, addOrganizationPermissions: [TOKENS] });
    await expect(grant).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(grant).rejects.toThrow('expires before "lasting" does');
    await client(secret).updateTokenOrganizationPermissions({ tokenIds, removeOrganizationPermissions: [MODEMS] });
    const { created: short } = await client(secret).create({ name: 'short' });
    await client(secret).updateTokenOrganizationPermissions({
      tokenIds: [short!.id],
      addOrganizationPermissions: [MODEMS],
    });
    const { tokens: listedTokens } = await administrator().list({});
    expect(listedTokens.map(({ name, organizationPermissions }) => [name, organizationPermissions])).toEqual([
      ['lasting', [TAGS_MANAGE]],
      ['maker', [TOKENS, MODEMS]],
      ['short', [MODEMS]],
    ]);
  });
});

describe('deleting a token', () => {
  test('deletes only its descendants and records an event for each', async () => {
    const grants = { organizationPermissions: { include: [TOKENS] } };
    const { token: secret, created } = await createParent();
    const child = await client(secret).create({ name: 'child', ...grants });
    const grandchild = await client(child.token).create({ name: 'grandchild', ...grants });
    const northernToken = await client(secret).create({ name: 'northern', organization: 'northwind-north', ...grants });
    const unrelatedToken = await administrator().create({ name: 'other' });
    const startedAt = t.app.now();
    await administrator().delete({ tokenId: created!.id });
    for (const { token } of [child, grandchild, northernToken]) expect(await isValid(token)).toBe(false);
    expect(await isValid(unrelatedToken.token)).toBe(true);
    const deletedTokens = async (organization: string) => {
      const { events } = await t
        .as('administrator')
        .client(EventService)
        .history({
          organization,
          selection: {
            events: { include: [EventType.TOKEN_DELETED] },
            timeRange: { start: timestamp(startedAt.getTime()) },
          },
        });
      return events
        .map(({ description }) => /"(.*)"/.exec(description)?.[1] ?? '')
        .toSorted((a, b) => a.localeCompare(b));
    };
    expect(await deletedTokens('northwind')).toEqual(['child', 'grandchild', 'maker']);
    expect(await deletedTokens('northwind-north')).toEqual(['northern']);
  });

  test('keeps a token with the same id in another organization and its descendants', async () => {
    const { token: secret, created } = await createParent();
    await client(secret).create({ name: 'child' });
    const north = { organization: 'northwind-north' };
    // Ids count up in each organization, so creating enough tokens reaches the same id.
    const createNorthernToken = async (number: number) =>
      administrator().create({ name: `northern ${number}`, ...north, organizationPermissions: { include: [TOKENS] } });
    let northernToken = await createNorthernToken(0);
    for (let number = 1; northernToken.created!.id < created!.id; number += 1)
      northernToken = await createNorthernToken(number);
    expect(northernToken.created!.id).toBe(created!.id);
    const northernChild = await client(northernToken.token).create({ name: 'its child' });
    await administrator().delete({ tokenId: created!.id });
    expect((await administrator().list({})).tokens).toEqual([]);
    expect([await isValid(northernToken.token), await isValid(northernChild.token)]).toEqual([true, true]);
  });

  test('also deletes tokens that a deleted account created for others', async () => {
    const developer = { ...demoPerson('developer'), id: 'leaver', email: 'leaver@example.com' };
    const leaver = t.with(createIdToken(developer));
    await leaver.client(CurrentUserService).currentUser({});
    await t.app.db.orm
      .insert(membership)
      .values({ organization: 'northwind', userId: 'leaver', roles: ['administrator'] });
    const { token: secret } = await leaver.client(TokenService).create({
      name: 'of the leaver',
      organizationPermissions: { include: [TOKENS, OrganizationPermission.USERS_MANAGE] },
    });
    const issuedToken = await client(secret).create({ name: 'for the viewer', forUserId: demoPerson('viewer').id });
    expect(await isValid(issuedToken.token)).toBe(true);
    await leaver.client(CurrentUserService).deleteCurrentUser({});
    expect(await isValid(issuedToken.token)).toBe(false);
  });

  test('also deletes a token that the deleted token is creating at the same time', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { token: secret, created } = await createParent({ name: `maker ${round}` });
      const creation = client(secret)
        .create({ name: `late ${round}` })
        .then(
          () => 'made',
          (error: unknown) => String(error),
        );
      for (let query = 0; query < round % 6; query += 1) await t.app.db.orm.select().from(tokens).limit(1);
      await administrator().delete({ tokenId: created!.id });
      await creation;
    }
    expect((await administrator().list({})).tokens).toEqual([]);
  });
});
