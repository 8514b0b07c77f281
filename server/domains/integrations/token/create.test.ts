import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { MODEMS, TAGS_MANAGE, TOKENS } = OrganizationPermission;
const { READ, UPDATE } = UserPermission;
const { PERSONAL } = Token_Type;
const NORTH = 'northwind-north';
const PERMIAN = 'northwind-permian';
/** A staff member without a name. */
const namelessStaff = { id: 'staff-two', email: 'staff.two@example.com', name: '' };

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  await t.app.db.orm.insert(appUser).values(namelessStaff);
  await t.app.db.orm
    .insert(membership)
    .values({ organization: 'quarterdeck', userId: namelessStaff.id, roles: ['support'] });
});
beforeEach(() => t.app.db.orm.delete(tokens));
afterEach(() => void vi.useRealTimers());
afterAll(() => t.close());

type Request = Parameters<ReturnType<typeof clientFor>['create']>[0];
const clientFor = (caller = t.as('administrator')) => caller.client(TokenService);
const create = (request: Request) => clientFor().create({ name: 'token', ...request });
const createToken = async (request: Request) => (await create(request)).created;
const timestamp = (ms: number) => ({ textual: new Date(ms).toISOString() });

describe('a new token', () => {
  test('has a name of up to 200 characters', async () => {
    await expect(create({ name: 'x'.repeat(201) })).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect((await createToken({ name: 'x'.repeat(200) }))?.name).toHaveLength(200);
  });

  test("has a name that is unique among the organization's unexpired tokens", async () => {
    await create({ name: 'same' });
    await create({ name: 'same', organization: NORTH });
    await expect(create({ name: 'same' })).rejects.toThrow('"same" already exists');
    await t.app.db.orm.update(tokens).set({ expiresAt: new Date(t.app.now().getTime() - 1) });
    await expect(create({ name: 'same' })).resolves.toMatchObject({ created: { name: 'same' } });
  });

  test('is short if minimize is set', async () => {
    const { token: longSecret } = await create({ name: 'long' });
    const { token: shortSecret } = await create({ name: 'short', minimize: true });
    expect([longSecret.length, shortSecret.length]).toEqual([46, 25]);
    const rows = await t.app.db.orm.select().from(tokens).orderBy(tokens.name);
    expect(rows.map(({ name, minimized }) => [name, minimized])).toEqual([
      ['long', false],
      ['short', true],
    ]);
  });

  test('must expire in the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const now = t.app.now().getTime();
    await expect(create({ expiresAt: timestamp(now) })).rejects.toThrow('must expire in the future');
    expect((await createToken({ expiresAt: timestamp(now + 1) }))?.expiresAt?.textual).toBe(
      new Date(now + 1).toISOString(),
    );
  });

  test('may expire at the same time as its parent', async () => {
    const end = timestamp(t.app.now().getTime() + 3_600_000);
    const { token: secret } = await create({ expiresAt: end, organizationPermissions: { include: [TOKENS] } });
    const childToken = await clientFor(t.with(secret)).create({ name: 'same end', expiresAt: end });
    expect(childToken.created?.expiresAt?.textual).toBe(end.textual);
  });

  test('gets the included permissions and roles that are not excluded', async () => {
    const tokenWithList = await createToken({
      name: 'listed',
      organizationPermissions: { include: [MODEMS, TAGS_MANAGE], exclude: [TAGS_MANAGE] },
      userPermissions: { include: [READ, UPDATE], exclude: [READ] },
      roles: { include: ['viewer', 'installer'], exclude: ['viewer'] },
    });
    expect(tokenWithList).toMatchObject({
      organizationPermissions: [MODEMS],
      userPermissions: [UPDATE],
      roles: ['installer'],
    });
    const tokenWithAll = await createToken({ name: 'all', userPermissions: { includeAll: true, exclude: [READ] } });
    expect(tokenWithAll?.userPermissions).toEqual([UPDATE, UserPermission.REQUEST_ACCESS, UserPermission.DELETE]);
    const emptyToken = await createToken({
      name: 'none',
      organizationPermissions: {},
      userPermissions: {},
      roles: {},
    });
    expect(emptyToken).toMatchObject({ organizationPermissions: [], userPermissions: [], roles: [] });
  });

  test('has no permissions or roles of its own if it is PERSONAL', async () => {
    const organizationPermissions = { include: [MODEMS] };
    const userPermissions = { include: [READ] };
    const roles = { include: ['viewer'] };
    for (const grants of [
      { userPermissions },
      { roles },
      { organizationPermissions, userPermissions },
      { organizationPermissions, roles },
    ]) {
      await expect(create({ type: PERSONAL, ...grants })).rejects.toThrow('leave out permissions and roles');
    }
    const forUserId = demoPerson('viewer').id;
    await expect(create({ type: PERSONAL, forUserId })).rejects.toThrow('Only its owner');
  });

  test('can be created with a PERSONAL token if it is PERSONAL too', async () => {
    const { token: secret } = await create({ type: PERSONAL });
    await expect(clientFor(t.with(secret)).create({ name: 'another', type: PERSONAL })).resolves.toBeDefined();
  });
});

describe('a token for someone else', () => {
  const forUserId = demoPerson('viewer').id;

  test("can't have user permissions", async () => {
    await expect(create({ forUserId, userPermissions: { include: [READ] } })).rejects.toThrow('the owner');
  });

  test('can have permissions that its owner holds through a parent organization', async () => {
    const request = { organization: NORTH, forUserId };
    const viewerToken = await createToken({
      ...request,
      name: 'theirs',
      organizationPermissions: { include: [MODEMS] },
    });
    expect(viewerToken).toMatchObject({ userId: forUserId, organization: NORTH });
    const excess = create({ ...request, organizationPermissions: { include: [TAGS_MANAGE] } });
    await expect(excess).rejects.toThrow("Bram de Wit doesn't hold TAGS_MANAGE");
  });

  test('requires its owner to be a member of the organization', async () => {
    const nonMemberToken = create({ forUserId: namelessStaff.id });
    await expect(nonMemberToken).rejects.toMatchObject({ code: Code.NotFound });
    await expect(nonMemberToken).rejects.toThrow('"staff-two" isn\'t a member of "northwind"');
  });

  test('can have the support role only if owner and creator are staff', async () => {
    const staff = clientFor(t.as('support'));
    const roles = { include: ['support'] };
    await expect(staff.create({ name: 'theirs', forUserId: namelessStaff.id, roles })).resolves.toMatchObject({
      created: { roles: ['support'] },
    });
    const setRoles = (...names: string[]) =>
      t.app.db.orm.update(membership).set({ roles: names }).where(eq(membership.userId, namelessStaff.id));
    onTestFinished(async () => void (await setRoles('support')));
    await setRoles('administrator');
    const excessCreation = staff.create({ name: 'more', forUserId: namelessStaff.id, roles });
    await expect(excessCreation).rejects.toThrow(
      'staff.two@example.com doesn\'t hold every permission of the role "support"',
    );
    await expect(clientFor(t.with(createIdToken(namelessStaff))).create({ name: 'own', roles })).rejects.toThrow(
      'You don\'t hold every permission of the role "support"',
    );
  });
});

describe("support staff in a customer's organization", () => {
  test('can create SPECIFIC tokens only for members, and PERSONAL tokens for themselves', async () => {
    const staff = clientFor(t.as('support'));
    const organization = 'northwind';
    await t.as('support').client(SupportService).allowChanges({ organization });
    const creation = staff.create({ name: 'own', organization });
    await expect(creation).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(creation).rejects.toThrow('as support staff');
    const forUserId = demoPerson('viewer').id;
    await expect(staff.create({ name: 'theirs', organization, forUserId })).resolves.toBeDefined();
    await expect(staff.create({ name: 'personal', organization, type: PERSONAL })).resolves.toBeDefined();
    await expect(
      staff.create({ name: 'at home', organizationPermissions: { include: [MODEMS] } }),
    ).resolves.toBeDefined();
  });
});

describe('the reach of a token created with a limited token', () => {
  const creatorLimitedTo = async (limitImpersonation: object) => {
    const { token: secret } = await create({ limitImpersonation, organizationPermissions: { include: [TOKENS] } });
    return async (limit: object | undefined) =>
      (await clientFor(t.with(secret)).create({ name: `${Math.random()}`, limitImpersonation: limit })).created
        ?.limitImpersonation;
  };

  test("is at most the parent's reach", async () => {
    const createWithLimit = await creatorLimitedTo({ include: [NORTH] });
    expect(await createWithLimit({ include: [NORTH] })).toMatchObject({
      includeAll: false,
      include: [NORTH],
      exclude: [],
    });
    await expect(createWithLimit({ include: [NORTH, PERMIAN] })).rejects.toThrow("can't reach");
    await expect(createWithLimit({ include: [PERMIAN] })).rejects.toThrow("can't reach");
    await expect(createWithLimit({ includeAll: true })).rejects.toThrow("can't reach");
    expect(await createWithLimit({})).toMatchObject({ includeAll: false, include: [] });
  });

  test('excludes the organizations that either token excludes, without duplicates', async () => {
    const createWithLimit = await creatorLimitedTo({ includeAll: true, exclude: [NORTH] });
    expect(await createWithLimit({ include: [PERMIAN], exclude: ['northwind-offshore', NORTH] })).toMatchObject({
      includeAll: false,
      include: [PERMIAN],
      exclude: ['northwind-offshore', NORTH],
    });
    expect(await createWithLimit(undefined)).toMatchObject({ includeAll: true, include: [], exclude: [NORTH] });
  });
});
