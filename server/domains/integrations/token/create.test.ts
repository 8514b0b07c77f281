import { Code } from '@connectrpc/connect';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { MODEMS, TAGS_MANAGE, TOKENS } = OrganizationPermission;
const { READ, UPDATE } = UserPermission;
const { PERSONAL } = Token_Type;
const NORTH = 'northwind-north';
const PERMIAN = 'northwind-permian';
/** A second member of staff, who never entered a name. */
const nameless = { id: 'staff-two', email: 'staff.two@example.com', name: '' };

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  await t.app.db.orm.insert(appUser).values(nameless);
  await t.app.db.orm
    .insert(membership)
    .values({ organization: 'quarterdeck', userId: nameless.id, roles: ['support'] });
});
beforeEach(() => t.app.db.orm.delete(tokens));
afterEach(() => void vi.useRealTimers());
afterAll(() => t.close());

type Request = Parameters<ReturnType<typeof clientOf>['create']>[0];
const clientOf = (caller = t.as('administrator')) => caller.client(TokenService);
const create = (request: Request) => clientOf().create({ name: 'token', ...request });
const made = async (request: Request) => (await create(request)).created;
const at = (ms: number) => ({ textual: new Date(ms).toISOString() });

describe('a new token', () => {
  it('is named in up to 200 characters', async () => {
    await expect(create({ name: 'x'.repeat(201) })).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect((await made({ name: 'x'.repeat(200) }))?.name).toHaveLength(200);
  });

  it('has a name of its own among those of its organization that have not expired', async () => {
    await create({ name: 'same' });
    await create({ name: 'same', organization: NORTH });
    await expect(create({ name: 'same' })).rejects.toThrow('"same" exists already');
  });

  it('is short when that is asked for', async () => {
    const { token: long } = await create({ name: 'long' });
    const { token: short } = await create({ name: 'short', minimize: true });
    expect([long.length, short.length]).toEqual([46, 25]);
    const rows = await t.app.db.orm.select().from(tokens).orderBy(tokens.name);
    expect(rows.map(({ name, minimized }) => [name, minimized])).toEqual([
      ['long', false],
      ['short', true],
    ]);
  });

  it('expires later than now', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const now = t.app.now().getTime();
    await expect(create({ expiresAt: at(now) })).rejects.toThrow('must expire in the future');
    expect((await made({ expiresAt: at(now + 1) }))?.expiresAt?.textual).toBe(new Date(now + 1).toISOString());
  });

  it('expires no later than the one that it is made with, and may in the same moment', async () => {
    const end = at(t.app.now().getTime() + 3_600_000);
    const { token: secret } = await create({ expiresAt: end, organizationPermissions: { include: [TOKENS] } });
    const same = await clientOf(t.with(secret)).create({ name: 'same end', expiresAt: end });
    expect(same.created?.expiresAt?.textual).toBe(end.textual);
  });

  it('gets what is included and not excluded', async () => {
    const listed = await made({
      name: 'listed',
      organizationPermissions: { include: [MODEMS, TAGS_MANAGE], exclude: [TAGS_MANAGE] },
      userPermissions: { include: [READ, UPDATE], exclude: [READ] },
      roles: { include: ['viewer', 'installer'], exclude: ['viewer'] },
    });
    expect(listed).toMatchObject({
      organizationPermissions: [MODEMS],
      userPermissions: [UPDATE],
      roles: ['installer'],
    });
    const all = await made({ name: 'all', userPermissions: { includeAll: true, exclude: [READ] } });
    expect(all?.userPermissions).toEqual([UPDATE, UserPermission.REQUEST_ACCESS, UserPermission.DELETE]);
    const none = await made({ name: 'none', organizationPermissions: {}, userPermissions: {}, roles: {} });
    expect(none).toMatchObject({ organizationPermissions: [], userPermissions: [], roles: [] });
  });

  it('that is PERSONAL gets nothing of its own, of whichever kind', async () => {
    const organizationPermissions = { include: [MODEMS] };
    const userPermissions = { include: [READ] };
    const roles = { include: ['viewer'] };
    for (const grants of [
      { userPermissions },
      { roles },
      { organizationPermissions, userPermissions },
      { organizationPermissions, roles },
    ]) {
      await expect(create({ type: PERSONAL, ...grants })).rejects.toThrow('no permissions and no roles of its own');
    }
    const forUserId = demoPerson('viewer').id;
    await expect(create({ type: PERSONAL, forUserId })).rejects.toThrow('by its owner only');
  });

  it('that is PERSONAL may be made with a PERSONAL one', async () => {
    const { token: secret } = await create({ type: PERSONAL });
    await expect(clientOf(t.with(secret)).create({ name: 'another', type: PERSONAL })).resolves.toBeDefined();
  });
});

describe('a token for somebody else', () => {
  const forUserId = demoPerson('viewer').id;

  it('gets no user permission, not even one', async () => {
    await expect(create({ forUserId, userPermissions: { include: [READ] } })).rejects.toThrow('the owner');
  });

  it('gets what they hold by a membership further up', async () => {
    const request = { organization: NORTH, forUserId };
    const theirs = await made({ ...request, name: 'theirs', organizationPermissions: { include: [MODEMS] } });
    expect(theirs).toMatchObject({ userId: forUserId, organization: NORTH });
    const more = create({ ...request, organizationPermissions: { include: [TAGS_MANAGE] } });
    await expect(more).rejects.toThrow('Bram de Wit does not hold TAGS_MANAGE');
  });

  it('is for a member of this organization, not of another', async () => {
    const stranger = create({ forUserId: nameless.id });
    await expect(stranger).rejects.toMatchObject({ code: Code.NotFound });
    await expect(stranger).rejects.toThrow('"staff-two" in "northwind"');
  });

  it('gets the support role when both are staff, and they are named by their address when they have no name', async () => {
    const staff = clientOf(t.as('support'));
    const roles = { include: ['support'] };
    await expect(staff.create({ name: 'theirs', forUserId: nameless.id, roles })).resolves.toMatchObject({
      created: { roles: ['support'] },
    });
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(eq(membership.userId, nameless.id));
    const denied = staff.create({ name: 'more', forUserId: nameless.id, roles });
    await expect(denied).rejects.toThrow('staff.two@example.com does not hold all of the role "support"');
    await expect(clientOf(t.with(idTokenOf(nameless))).create({ name: 'own', roles })).rejects.toThrow(
      'You do not hold all of the role "support"',
    );
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['support'] })
      .where(eq(membership.userId, nameless.id));
  });
});

describe('support staff in an organization of a customer', () => {
  it('make no SPECIFIC token of their own there, but one for a member, and a PERSONAL one', async () => {
    const staff = clientOf(t.as('support'));
    const organization = 'northwind';
    await t.as('support').client(SupportService).allowChanges({ organization });
    const own = staff.create({ name: 'own', organization });
    await expect(own).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(own).rejects.toThrow('as support staff');
    const forUserId = demoPerson('viewer').id;
    await expect(staff.create({ name: 'theirs', organization, forUserId })).resolves.toBeDefined();
    await expect(staff.create({ name: 'personal', organization, type: PERSONAL })).resolves.toBeDefined();
    await expect(
      staff.create({ name: 'at home', organizationPermissions: { include: [MODEMS] } }),
    ).resolves.toBeDefined();
  });
});

describe('the reach of a token made with a limited one', () => {
  const maker = async (limitImpersonation: object) => {
    const { token: secret } = await create({ limitImpersonation, organizationPermissions: { include: [TOKENS] } });
    return async (limit: object | undefined) =>
      (await clientOf(t.with(secret)).create({ name: `${Math.random()}`, limitImpersonation: limit })).created
        ?.limitImpersonation;
  };

  it('is within that of the other, of all that it includes', async () => {
    const make = await maker({ include: [NORTH] });
    expect(await make({ include: [NORTH] })).toMatchObject({ includeAll: false, include: [NORTH], exclude: [] });
    await expect(make({ include: [NORTH, PERMIAN] })).rejects.toThrow('cannot reach');
    await expect(make({ include: [PERMIAN] })).rejects.toThrow('cannot reach');
    await expect(make({ includeAll: true })).rejects.toThrow('cannot reach');
    expect(await make({})).toMatchObject({ includeAll: false, include: [] });
  });

  it('leaves out what either leaves out, each once', async () => {
    const make = await maker({ includeAll: true, exclude: [NORTH] });
    expect(await make({ include: [PERMIAN], exclude: ['northwind-offshore', NORTH] })).toMatchObject({
      includeAll: false,
      include: [PERMIAN],
      exclude: ['northwind-offshore', NORTH],
    });
    expect(await make(undefined)).toMatchObject({ includeAll: true, include: [], exclude: [NORTH] });
  });
});
