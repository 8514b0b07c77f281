import { Code } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

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
import { supportCall, supportSession } from '#server/db/schema/support.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { appUser, membership, roleOverride } from '#server/db/schema/user.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

// Two tenants whose rows have the same ids, two staff members, and two users, so a query with a missing condition
// finds the other tenant's row.

const ONE = 'tenant-one';
const TWO = 'tenant-two';
const CHILD = 'tenant-one-child';
const staffTwo = { id: 'staff-two', email: 'staff.two@example.com', name: 'Second Staff' };
const ana = { id: 'ana', email: 'ana@example.com', name: 'Ana' };
const bob = { id: 'bob', email: 'bob@example.com', name: 'Bob' };
/** Signed in in the same second by the same method, so their sign-ins share an id. */
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
  for (const table of [tokens, supportSession, roleOverride, userValidation, signIn]) await orm.delete(table);
  await orm.delete(membership).where(eq(membership.organization, CHILD));
});
afterAll(() => t.close());

const asAna = () => t.with(createIdToken({ ...ana, authTime }));
const asBob = () => t.with(createIdToken({ ...bob, authTime }));
const staff = () => t.as('support');
const otherStaff = () => t.with(createIdToken(staffTwo));
const tag = (organization: string) => ({ organization, create: { name: `${Math.random()}`, type: 'group' } });
const me = (secret: string, organization?: string) =>
  t.with(secret).client(CurrentUserService).currentUser({ organization });
const readPermissions = async (secret: string, organization?: string) =>
  new Set((await me(secret, organization)).currentOrganizationPermissions?.include);

describe('a support session', () => {
  test('allows changes only in its own organization, even if another session has the same id', async () => {
    await staff().client(TagService).list({ organization: ONE });
    await staff().client(TagService).list({ organization: TWO });
    const supportSessions = await t.app.db.orm.select().from(supportSession);
    expect(new Set(supportSessions.map(({ id }) => id)).size).toBe(1);
    await staff().client(SupportService).allowChanges({ organization: ONE });
    await expect(staff().client(TagService).create(tag(ONE))).resolves.toBeDefined();
    await expect(staff().client(TagService).create(tag(TWO))).rejects.toMatchObject({ code: Code.PermissionDenied });
    await staff().client(SupportService).endSupportSession({ organization: ONE });
    const [remaining] = await t.app.db.orm.select().from(supportSession).where(eq(supportSession.organization, TWO));
    expect(remaining!.endsAt > t.app.now()).toBe(true);
  });

  test('belongs to one user, while a colleague has a separate, read-only session', async () => {
    await staff().client(SupportService).allowChanges({ organization: ONE, reason: 'Ticket' });
    await expect(otherStaff().client(TagService).create(tag(ONE))).rejects.toThrow('support allow-changes');
    const { supportSessions } = await asAna().client(SupportService).listSupportSessions({});
    expect(supportSessions.map(({ userId, reason }) => [userId, reason])).toEqual(
      expect.arrayContaining([
        [demoPerson('support').id, 'Ticket'],
        [staffTwo.id, ''],
      ]),
    );
    await otherStaff().client(SupportService).endSupportSession({ organization: ONE });
    await expect(staff().client(TagService).create(tag(ONE))).resolves.toBeDefined();
  });

  test("is not needed for the caller's own sessions, but is needed for a member's", async () => {
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

describe('two tokens with the same id', () => {
  test('are used, named, and deleted separately', async () => {
    const first = await asAna().client(TokenService).create({ name: 'same name' });
    const second = await asBob().client(TokenService).create({ name: 'same name' });
    expect(second.created?.id).toBe(first.created?.id);
    await me(first.token);
    const [unused] = await t.app.db.orm.select().from(tokens).where(eq(tokens.organization, TWO));
    expect(unused?.lastUsed).toBeNull();
    await asAna().client(TokenService).delete({ tokenId: first.created?.id });
    await expect(me(second.token)).resolves.toBeDefined();
  });
});

describe('two sign-ins with the same id', () => {
  test('are tracked separately', async () => {
    await asAna().client(CurrentUserService).currentUser({});
    await asBob().client(CurrentUserService).currentUser({});
    const rows = await t.app.db.orm.select().from(signIn);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    const anHourAgo = new Date(t.app.now().getTime() - 3_600_000);
    await t.app.db.orm.update(signIn).set({ lastSeenAt: anHourAgo });
    await asAna().client(CurrentUserService).currentUser({});
    const [bobsOwn] = await t.app.db.orm.select().from(signIn).where(eq(signIn.userId, bob.id));
    expect(bobsOwn?.lastSeenAt).toEqual(anHourAgo);
  });
});

describe('a membership barred by a rule', () => {
  const barChild = () =>
    t.app.db.orm.insert(userValidation).values({ organization: CHILD, emailRegex: 'nobody@.*', providers: [] });

  test('grants no roles, even if another membership admits the user', async () => {
    const { orm } = t.app.db;
    await orm
      .update(membership)
      .set({ roles: ['viewer'] })
      .where(eq(membership.userId, ana.id));
    await orm.insert(membership).values({ organization: CHILD, userId: ana.id, roles: ['administrator'] });
    const rolesInChild = async () =>
      (await asAna().client(CurrentUserService).currentUser({ organization: CHILD })).roles.toSorted();
    expect(await rolesInChild()).toEqual(['administrator', 'viewer']);
    await barChild();
    expect(await rolesInChild()).toEqual(['viewer']);
    await orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(eq(membership.userId, ana.id));
  });

  test('grants no support permissions', async () => {
    const quarterdeck = { organization: 'quarterdeck', emailRegex: 'nobody@.*', providers: [] };
    const supportPermissions = async () =>
      (await staff().client(CurrentUserService).currentUser({})).supportPermissions?.include;
    expect(await supportPermissions()).toContain(SupportPermission.CUSTOMER_SUPPORT);
    await t.app.db.orm.insert(userValidation).values(quarterdeck);
    expect(await supportPermissions()).toBeUndefined();
    await expect(staff().client(TagService).list({ organization: ONE })).rejects.toThrow('access to organization');
  });
});

describe('a token', () => {
  test("has no support permissions and ignores its owner's role override if it is SPECIFIC", async () => {
    const { token: secret } = await staff()
      .client(TokenService)
      .create({ name: 'desk', roles: { include: ['viewer'] } });
    expect((await me(secret)).supportPermissions).toBeUndefined();
    await expect(me(secret, ONE)).rejects.toMatchObject({ code: Code.PermissionDenied });
    const organizationPermissions = { include: [OrganizationPermission.MODEMS_UPDATE] };
    const created = await asAna().client(TokenService).create({ name: 'fixed', organizationPermissions });
    const before = await readPermissions(created.token);
    // A listed permission can include others, which the token then has as well.
    expect(before).toEqual(new Set([OrganizationPermission.MODEMS_UPDATE, OrganizationPermission.MODEMS]));
    const override = { organization: ONE, userId: ana.id, roles: ['installer'] };
    await t.app.db.orm.insert(roleOverride).values(override);
    expect(await readPermissions(created.token)).toEqual(before);
    expect((await me(created.token)).activeRoleOverride).toBe(false);
    const personal = await asAna()
      .client(TokenService)
      .create({ name: 'mine', type: Token_Type.PERSONAL })
      .catch(String);
    expect(personal).toContain('TOKENS');
  });

  test("follows its owner's role override if it is PERSONAL", async () => {
    const { token: secret } = await asAna().client(TokenService).create({ name: 'mine', type: Token_Type.PERSONAL });
    await t.app.db.orm.insert(roleOverride).values({ organization: ONE, userId: ana.id, roles: ['installer'] });
    expect(await me(secret)).toMatchObject({ roles: ['installer'], activeRoleOverride: true });
  });

  test("is denied after its owner's account is deleted", async () => {
    const { token: secret } = await asBob().client(TokenService).create({ name: 'orphan' });
    await t.app.db.orm.update(appUser).set({ deletedAt: t.app.now() }).where(eq(appUser.id, bob.id));
    await expect(me(secret)).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(me(secret)).rejects.toThrow('belongs to was deleted');
    await t.app.db.orm.update(appUser).set({ deletedAt: null }).where(eq(appUser.id, bob.id));
  });

  test("can't reach more organizations through a token that it creates", async () => {
    const organizationPermissions = { include: [OrganizationPermission.TOKENS] };
    const limitImpersonation = { includeAll: true, exclude: [CHILD] };
    const parentToken = await asAna()
      .client(TokenService)
      .create({ name: 'parent', organizationPermissions, limitImpersonation });
    const asParentToken = t.with(parentToken.token).client(TokenService);
    const limitedToken = asParentToken.create({ name: 'named', limitImpersonation: { include: [CHILD] } });
    await expect(limitedToken).rejects.toMatchObject({ code: Code.PermissionDenied });
    const unlimitedToken = await asParentToken.create({ name: 'all', limitImpersonation: { includeAll: true } });
    expect(unlimitedToken.created?.limitImpersonation).toMatchObject({ includeAll: true, exclude: [CHILD] });
    await expect(me(unlimitedToken.token, CHILD)).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe('a role override', () => {
  test("never grants more permissions than the user's current roles", async () => {
    const ownMembership = and(eq(membership.organization, ONE), eq(membership.userId, ana.id));
    await t.app.db.orm.insert(roleOverride).values({ organization: ONE, userId: ana.id, roles: ['operator'] });
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['viewer'] })
      .where(ownMembership);
    const { currentOrganizationPermissions } = await asAna().client(CurrentUserService).currentUser({});
    expect(currentOrganizationPermissions?.include).toContain(OrganizationPermission.MODEMS);
    expect(currentOrganizationPermissions?.include).not.toContain(OrganizationPermission.MODEMS_UPDATE);
    await t.app.db.orm
      .update(membership)
      .set({ roles: ['administrator'] })
      .where(ownMembership);
  });
});

describe('revoking all sessions', () => {
  const revokeAt = (revoked: Date | null) =>
    t.app.db.orm.update(appUser).set({ sessionsRevokedAt: revoked }).where(eq(appUser.id, ana.id));

  test('ends sign-ins up to the given second, and no later ones', async () => {
    const call = () => asAna().client(OrganizationService).get({});
    await revokeAt(authTime);
    await expect(call()).rejects.toThrow('Sign in again');
    await revokeAt(new Date(authTime.getTime() - 1));
    await expect(call()).resolves.toMatchObject({ organization: ONE });
    await revokeAt(null);
  });
});

describe('the organization of a two-part request', () => {
  test('is taken from either part, preferably from the groups', async () => {
    const listGroups = (groups?: string, content?: string) =>
      asAna()
        .client(ModemService)
        .grouped({ groups: { organization: groups }, groupContent: { organization: content } });
    const codeOf = async (call: Promise<unknown>) =>
      call.then(
        () => 'ok',
        (error: unknown) => String(error),
      );
    expect(await codeOf(listGroups(TWO, ONE))).toContain(`access to organization "${TWO}"`);
    expect(await codeOf(listGroups(undefined, TWO))).toContain(`access to organization "${TWO}"`);
    expect(await codeOf(listGroups(ONE, TWO))).not.toContain(`access to organization "${ONE}"`);
    expect(await codeOf(listGroups(undefined, ONE))).toBe('ok');
  });
});
