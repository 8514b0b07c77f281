import { Code } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { SessionService } from '#proto/gen/quarterdeck/session/v1/session_service_pb.ts';
import { SupportService } from '#proto/gen/quarterdeck/support/v1/support_service_pb.ts';
import { userValidation } from '#server/db/schema/membership-request.ts';
import { organization } from '#server/db/schema/organization.ts';
import { signIn } from '#server/db/schema/sign-in.ts';
import { supportCall, supportVisit } from '#server/db/schema/support.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { demoPerson, idTokenOf, startTestServer, type TestServer } from '#server/testkit/server.ts';

// Two tenants whose rows share every id, two members of staff and two people: a condition that is left out finds the
// other one's row.

const ONE = 'tenant-one';
const TWO = 'tenant-two';
const CHILD = 'tenant-one-child';
const staffTwo = { id: 'staff-two', email: 'staff.two@example.com', name: 'Second Staff' };
const ana = { id: 'ana', email: 'ana@example.com', name: 'Ana' };
const bob = { id: 'bob', email: 'bob@example.com', name: 'Bob' };
/** Signed in at the same second in the same way, so that their sign-ins share an id. */
const authTime = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  const { orm } = t.app.db;
  await orm.insert(organization).values([
    { id: ONE, path: [ONE], displayName: 'One' },
    { id: TWO, path: [TWO], displayName: 'Two' },
    { id: CHILD, parent: ONE, path: [ONE, CHILD], displayName: 'Child' },
  ]);
  await orm.insert(appUser).values([staffTwo, ana, bob]);
  await orm.insert(membership).values([
    { organization: 'quarterdeck', userId: staffTwo.id, roles: ['support'] },
    { organization: ONE, userId: ana.id, roles: ['administrator'] },
    { organization: TWO, userId: bob.id, roles: ['administrator'] },
  ]);
});
beforeEach(async () => {
  const { orm } = t.app.db;
  for (const table of [tokens, supportVisit, roleOverride, userValidation, signIn]) await orm.delete(table);
  await orm.delete(membership).where(eq(membership.organization, CHILD));
});
afterAll(() => t.close());

const anas = () => t.with(idTokenOf({ ...ana, authTime }));
const bobs = () => t.with(idTokenOf({ ...bob, authTime }));
const staff = () => t.as('support');
const otherStaff = () => t.with(idTokenOf(staffTwo));
const tag = (where: string) => ({ organization: where, create: { name: `${Math.random()}`, type: 'group' } });
const me = (secret: string, where?: string) =>
  t.with(secret).client(CurrentUserService).currentUser({ organization: where });
const permissionsOf = async (secret: string, where?: string) =>
  new Set((await me(secret, where)).currentOrganizationPermissions?.include);

describe('a support session', () => {
  it('that allows changes does so in its organization alone, though another has one of the same number', async () => {
    await staff().client(TagService).list({ organization: ONE });
    await staff().client(TagService).list({ organization: TWO });
    const visits = await t.app.db.orm.select().from(supportVisit);
    expect(new Set(visits.map(({ id }) => id)).size).toBe(1);
    await staff().client(SupportService).allowChanges({ organization: ONE });
    await expect(staff().client(TagService).create(tag(ONE))).resolves.toBeDefined();
    await expect(staff().client(TagService).create(tag(TWO))).rejects.toMatchObject({ code: Code.PermissionDenied });
    await staff().client(SupportService).endVisit({ organization: ONE });
    const [left] = await t.app.db.orm.select().from(supportVisit).where(eq(supportVisit.organization, TWO));
    expect(left!.endsAt > t.app.now()).toBe(true);
  });

  it('is of one member of staff: a colleague has their own, which only reads', async () => {
    await staff().client(SupportService).allowChanges({ organization: ONE, reason: 'Ticket' });
    await expect(otherStaff().client(TagService).create(tag(ONE))).rejects.toThrow('support allow-changes');
    const { visits } = await anas().client(SupportService).listVisits({});
    expect(visits.map(({ userId, reason }) => [userId, reason])).toEqual(
      expect.arrayContaining([
        [demoPerson('support').id, 'Ticket'],
        [staffTwo.id, ''],
      ]),
    );
    await otherStaff().client(SupportService).endVisit({ organization: ONE });
    await expect(staff().client(TagService).create(tag(ONE))).resolves.toBeDefined();
  });

  it('is not needed for what concerns only the caller, and is for the same call about a member', async () => {
    const sessions = staff().client(SessionService);
    await sessions.list({ organization: ONE });
    await sessions.revoke({ organization: ONE });
    expect(await t.app.db.orm.select().from(supportCall)).toEqual([]);
    await sessions.list({ organization: ONE, userId: ana.id });
    await expect(sessions.revoke({ organization: ONE, userId: ana.id })).rejects.toThrow('support allow-changes');
    const calls = await t.app.db.orm.select().from(supportCall);
    expect(calls.map(({ rpc, changes }) => [rpc, changes])).toEqual([
      ['SessionService.List', false],
      ['SessionService.Revoke', true],
    ]);
  });
});

describe('two tokens of the same number', () => {
  it('are used, named and deleted apart', async () => {
    const first = await anas().client(TokenService).create({ name: 'same name' });
    const second = await bobs().client(TokenService).create({ name: 'same name' });
    expect(second.created?.id).toBe(first.created?.id);
    await me(first.token);
    const [unused] = await t.app.db.orm.select().from(tokens).where(eq(tokens.organization, TWO));
    expect(unused?.lastUsed).toBeNull();
    await anas().client(TokenService).delete({ tokenId: first.created?.id });
    await expect(me(second.token)).resolves.toBeDefined();
  });
});

describe('two sign-ins of the same name', () => {
  it('are seen apart', async () => {
    await anas().client(CurrentUserService).currentUser({});
    await bobs().client(CurrentUserService).currentUser({});
    const rows = await t.app.db.orm.select().from(signIn);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    const long = new Date(t.app.now().getTime() - 3_600_000);
    await t.app.db.orm.update(signIn).set({ lastSeenAt: long });
    await anas().client(CurrentUserService).currentUser({});
    const [bobsOwn] = await t.app.db.orm.select().from(signIn).where(eq(signIn.userId, bob.id));
    expect(bobsOwn?.lastSeenAt).toEqual(long);
  });
});

describe('a membership that a rule bars', () => {
  const barChild = () =>
    t.app.db.orm.insert(userValidation).values({ organization: CHILD, emailRegex: 'nobody@.*', providers: [] });

  it('gives no roles, where another lets its holder in', async () => {
    const { orm } = t.app.db;
    await orm
      .update(membership)
      .set({ roles: ['viewer'] })
      .where(eq(membership.userId, ana.id));
    await orm.insert(membership).values({ organization: CHILD, userId: ana.id, roles: ['administrator'] });
    const rolesInChild = async () =>
      (await anas().client(CurrentUserService).currentUser({ organization: CHILD })).roles.toSorted();
    expect(await rolesInChild()).toEqual(['administrator', 'viewer']);
    await barChild();
    expect(await rolesInChild()).toEqual(['viewer']);
    await orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(eq(membership.userId, ana.id));
  });

  it('gives no support permissions either', async () => {
    const quarterdeck = { organization: 'quarterdeck', emailRegex: 'nobody@.*', providers: [] };
    const seen = async () => (await staff().client(CurrentUserService).currentUser({})).supportPermissions?.include;
    expect(await seen()).toContain(SupportPermission.CUSTOMER_SUPPORT);
    await t.app.db.orm.insert(userValidation).values(quarterdeck);
    expect(await seen()).toBeUndefined();
    await expect(staff().client(TagService).list({ organization: ONE })).rejects.toThrow('no organization');
  });
});

describe('a token', () => {
  it('that is SPECIFIC has no support permissions, and does not follow the roles that its owner tries out', async () => {
    const { token: secret } = await staff()
      .client(TokenService)
      .create({ name: 'desk', roles: { include: ['viewer'] } });
    expect((await me(secret)).supportPermissions).toBeUndefined();
    await expect(me(secret, ONE)).rejects.toMatchObject({ code: Code.PermissionDenied });
    const organizationPermissions = { include: [OrganizationPermission.MODEMS_UPDATE] };
    const made = await anas().client(TokenService).create({ name: 'fixed', organizationPermissions });
    const before = await permissionsOf(made.token);
    // What a listed permission includes is held as well.
    expect(before).toEqual(new Set([OrganizationPermission.MODEMS_UPDATE, OrganizationPermission.MODEMS]));
    const tried = { organization: ONE, userId: ana.id, roles: ['installer'] };
    await t.app.db.orm.insert(roleOverride).values(tried);
    expect(await permissionsOf(made.token)).toEqual(before);
    expect((await me(made.token)).activeRoleOverride).toBe(false);
    const personal = await anas()
      .client(TokenService)
      .create({ name: 'mine', type: Token_Type.PERSONAL })
      .catch(String);
    expect(personal).toContain('TOKENS');
  });

  it('that is PERSONAL follows them', async () => {
    const { token: secret } = await anas().client(TokenService).create({ name: 'mine', type: Token_Type.PERSONAL });
    await t.app.db.orm.insert(roleOverride).values({ organization: ONE, userId: ana.id, roles: ['installer'] });
    expect(await me(secret)).toMatchObject({ roles: ['installer'], activeRoleOverride: true });
  });

  it('ends with the account of its owner, whatever was left of it', async () => {
    const { token: secret } = await bobs().client(TokenService).create({ name: 'orphan' });
    await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, bob.id));
    await expect(me(secret)).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(me(secret)).rejects.toThrow('belongs to was deleted');
    await t.app.db.orm.update(appUser).set({ deletedAt: null }).where(eq(appUser.id, bob.id));
  });

  it('cannot reach, through one that it makes, what it is kept from itself', async () => {
    const organizationPermissions = { include: [OrganizationPermission.TOKENS] };
    const limitImpersonation = { includeAll: true, exclude: [CHILD] };
    const outer = await anas()
      .client(TokenService)
      .create({ name: 'outer', organizationPermissions, limitImpersonation });
    const maker = t.with(outer.token).client(TokenService);
    const named = maker.create({ name: 'named', limitImpersonation: { include: [CHILD] } });
    await expect(named).rejects.toMatchObject({ code: Code.PermissionDenied });
    const all = await maker.create({ name: 'all', limitImpersonation: { includeAll: true } });
    expect(all.created?.limitImpersonation).toMatchObject({ includeAll: true, exclude: [CHILD] });
    await expect(me(all.token, CHILD)).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe('roles that are tried out', () => {
  it('never give more than the own ones do by then', async () => {
    const mine = and(eq(membership.organization, ONE), eq(membership.userId, ana.id));
    await t.app.db.orm.insert(roleOverride).values({ organization: ONE, userId: ana.id, roles: ['operator'] });
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['viewer'] })
      .where(mine);
    const { currentOrganizationPermissions } = await anas().client(CurrentUserService).currentUser({});
    expect(currentOrganizationPermissions?.include).toContain(OrganizationPermission.MODEMS);
    expect(currentOrganizationPermissions?.include).not.toContain(OrganizationPermission.MODEMS_UPDATE);
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(mine);
  });
});

describe('the end of all sessions', () => {
  const at = (revoked: Date | null) =>
    t.app.db.orm.update(appUser).set({ sessionsRevokedAt: revoked }).where(eq(appUser.id, ana.id));

  it('ends those of before and of that very second, and none of later', async () => {
    const call = () => anas().client(OrganizationService).get({});
    await at(authTime);
    await expect(call()).rejects.toThrow('sign in again');
    await at(new Date(authTime.getTime() - 1));
    await expect(call()).resolves.toMatchObject({ organization: ONE });
    await at(null);
  });
});

describe('the organization of a request in two parts', () => {
  it('is the one that either part names, the parents first', async () => {
    const grouped = (groups?: string, content?: string) =>
      anas()
        .client(ModemService)
        .grouped({ groups: { organization: groups }, groupContent: { organization: content } });
    const refused = async (call: Promise<unknown>) =>
      call.then(
        () => 'answered',
        (error: unknown) => String(error),
      );
    expect(await refused(grouped(TWO, ONE))).toContain(`no organization "${TWO}"`);
    expect(await refused(grouped(undefined, TWO))).toContain(`no organization "${TWO}"`);
    expect(await refused(grouped(ONE, TWO))).not.toContain(`no organization "${ONE}"`);
    expect(await refused(grouped(undefined, ONE))).toBe('answered');
  });
});
