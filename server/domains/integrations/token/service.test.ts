import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { MODEMS, TAGS_MANAGE, TOKENS, USERS_MANAGE } = OrganizationPermission;
const HOUR = 3600 * 1000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(tokens));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(TokenService);
const inOneHour = () => ({ textual: new Date(t.app.now().getTime() + HOUR).toISOString() });
const createToken = async (name: string, include: OrganizationPermission[] = [], overrides = {}) =>
  await administrator().create({ name, expiresAt: inOneHour(), organizationPermissions: { include }, ...overrides });
const loadCurrentUser = (secret: string, organization?: string) =>
  t.with(secret).client(CurrentUserService).currentUser({ organization });

describe('a SPECIFIC token', () => {
  test('grants its permissions, hides its owner, and stores no secret', async () => {
    const { token: secret, created: record } = await createToken('reader', [MODEMS, TAGS_MANAGE]);
    expect(secret).toMatch(/^qd_[\w-]{43}$/);
    const user = await loadCurrentUser(secret);
    expect(new Set(user.currentOrganizationPermissions?.include)).toEqual(new Set([MODEMS, TAGS_MANAGE]));
    expect([user.email, user.name, user.organizations]).toEqual([undefined, undefined, []]);
    const { tokens: listedTokens } = await administrator().list({});
    expect(listedTokens).toMatchObject([{ id: record?.id, name: 'reader', userDetails: { name: 'Dana Kowalski' } }]);
    expect(JSON.stringify(await t.app.db.orm.select().from(tokens))).not.toContain(secret.slice(3));
  });

  test('is denied after it expires or is deleted', async () => {
    const deletedToken = await createToken('one');
    await administrator().delete({ tokenId: deletedToken.created?.id });
    await expect(loadCurrentUser(deletedToken.token)).rejects.toMatchObject({ code: Code.Unauthenticated });
    const expiringToken = await createToken('two');
    t.advance(2 * HOUR);
    await expect(loadCurrentUser(expiringToken.token)).rejects.toThrow('"two" has expired');
    expect((await administrator().list({})).tokens).toEqual([]);
    expect((await administrator().list({ selection: { includeExpired: true } })).tokens).toHaveLength(1);
  });

  test('is marked in a list that it requests', async () => {
    const { token: secret } = await createToken('lister', [TOKENS]);
    await createToken('other');
    const { tokens: listedTokens } = await t.with(secret).client(TokenService).list({});
    // Without USERS, the caller sees only the owner's id.
    expect(listedTokens.map(({ name, usedForThisCall }) => [name, usedForThisCall])).toEqual([
      ['lister', true],
      ['other', false],
    ]);
    expect(listedTokens[0]?.userDetails).toMatchObject({ id: 'demo-administrator', name: '', email: '' });
    expect(listedTokens[0]?.lastUsed?.textual).toBe(t.app.now().toISOString().slice(0, 10));
  });
});

describe('access to child organizations', () => {
  const child = 'northwind-north';
  const get = (secret: string, organization: string) =>
    t.with(secret).client(OrganizationService).get({ organization });

  test('is open without a limit, closed with an empty limit, and otherwise follows the limit', async () => {
    const unlimitedToken = await createToken('unlimited');
    await expect(get(unlimitedToken.token, child)).resolves.toMatchObject({ organization: child });
    const closedToken = await createToken('closed', [], { limitImpersonation: {} });
    await expect(get(closedToken.token, 'northwind')).resolves.toMatchObject({ organization: 'northwind' });
    await expect(get(closedToken.token, child)).rejects.toMatchObject({ code: Code.PermissionDenied });
    const narrowToken = await createToken('narrow', [], { limitImpersonation: { includeAll: true, exclude: [child] } });
    await expect(get(narrowToken.token, 'northwind-permian')).resolves.toBeDefined();
    await expect(get(narrowToken.token, child)).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test('never extends beyond its own organization', async () => {
    const { token: secret } = await createToken('curious', [], { limitImpersonation: { include: ['quarterdeck'] } });
    await expect(get(secret, 'quarterdeck')).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test("can't be widened by a limited token", async () => {
    const { token: secret } = await createToken('maker', [TOKENS], { limitImpersonation: { include: [child] } });
    const limitedClient = t.with(secret).client(TokenService);
    await expect(limitedClient.create({ name: 'wide', limitImpersonation: { includeAll: true } })).rejects.toThrow(
      'reach',
    );
    const { created: record } = await limitedClient.create({ name: 'same' });
    expect(record?.limitImpersonation).toMatchObject({ include: [child] });
  });

  test('excludes the organizations that the creating token excludes', async () => {
    const outerLimit = { includeAll: true, exclude: [child] };
    const { token: secret } = await createToken('outer', [TOKENS], { limitImpersonation: outerLimit });
    const limitedClient = t.with(secret).client(TokenService);
    const creation = limitedClient.create({ name: 'named', limitImpersonation: { include: [child] } });
    await expect(creation).rejects.toThrow('reach');
    const innerLimit = { includeAll: true, exclude: ['northwind-permian'] };
    const { token: narrowToken } = await limitedClient.create({ name: 'narrow', limitImpersonation: innerLimit });
    await expect(get(narrowToken, 'northwind-offshore')).resolves.toMatchObject({ organization: 'northwind-offshore' });
    for (const excluded of [child, 'northwind-permian']) {
      await expect(get(narrowToken, excluded)).rejects.toMatchObject({ code: Code.PermissionDenied });
    }
  });
});

describe('a PERSONAL token', () => {
  test('acts as its owner, even for support staff in other organizations', async () => {
    const support = t.as('support').client(TokenService);
    const { token: secret } = await support.create({ name: 'mine', type: Token_Type.PERSONAL });
    await expect(loadCurrentUser(secret, 'northwind')).resolves.toMatchObject({
      name: 'Elif Yilmaz',
      roles: ['support'],
    });
  });

  test("has no permissions and can't be updated", async () => {
    const personal = { type: Token_Type.PERSONAL };
    await expect(createToken('own', [MODEMS], personal)).rejects.toMatchObject({ code: Code.InvalidArgument });
    const { created: record } = await createToken('own', [], personal);
    const update = { tokenIds: [record?.id ?? 0n], addOrganizationPermissions: [MODEMS] };
    await expect(administrator().updateTokenOrganizationPermissions(update)).rejects.toMatchObject({
      code: Code.FailedPrecondition,
    });
    const { token: secret } = await createToken('maker', [TOKENS]);
    const escalation = t
      .with(secret)
      .client(TokenService)
      .create({ name: 'more', ...personal });
    await expect(escalation).rejects.toMatchObject({ code: Code.PermissionDenied });
  });
});

describe('creating and updating a token', () => {
  test('requires an unused name and a future expiry', async () => {
    await createToken('taken');
    await expect(createToken('taken')).rejects.toMatchObject({ code: Code.AlreadyExists });
    await expect(createToken(' ')).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(createToken('late', [], { expiresAt: { textual: '2020-01-01' } })).rejects.toThrow('in the future');
    t.advance(2 * HOUR);
    await expect(createToken('taken')).resolves.toBeDefined();
  });

  test('is limited to permissions that the caller holds', async () => {
    const developer = t.as('developer').client(TokenService);
    const excess = { organizationPermissions: { include: [USERS_MANAGE] } };
    await expect(developer.create({ name: 'more', ...excess })).rejects.toThrow('USERS_MANAGE');
    await expect(developer.create({ name: 'more', roles: { include: ['administrator'] } })).rejects.toThrow(
      'administrator',
    );
    await expect(developer.create({ name: 'more', roles: { include: ['king'] } })).rejects.toThrow(
      'Unknown role: "king"',
    );
    const { created: record } = await developer.create({ name: 'all', organizationPermissions: { includeAll: true } });
    expect(record?.organizationPermissions).not.toContain(USERS_MANAGE);
    const update = { tokenIds: [record?.id ?? 0n], addOrganizationPermissions: [USERS_MANAGE] };
    await expect(developer.updateTokenOrganizationPermissions(update)).rejects.toThrow('USERS_MANAGE');
  });

  test("is limited to permissions that both owner and caller hold, for someone else's token", async () => {
    const forUserId = demoPerson('viewer').id;
    await expect(createToken('theirs', [TAGS_MANAGE], { forUserId })).rejects.toThrow("Bram de Wit doesn't hold");
    await expect(createToken('theirs', [], { forUserId, userPermissions: { includeAll: true } })).rejects.toThrow(
      'user permissions',
    );
    await expect(createToken('theirs', [MODEMS], { forUserId })).resolves.toMatchObject({
      created: { userId: forUserId },
    });
    await expect(createToken('nobody', [], { forUserId: 'nobody' })).rejects.toMatchObject({ code: Code.NotFound });
    const developer = t.as('developer').client(TokenService);
    await expect(developer.create({ name: 'x', forUserId })).rejects.toThrow('USERS_MANAGE');
  });

  test('replaces, adds, and removes permissions, and removal takes precedence', async () => {
    const { created: record } = await createToken('worker', [MODEMS], { roles: { include: ['viewer'] } });
    const tokenIds = [record?.id ?? 0n];
    const { READ, UPDATE } = UserPermission;
    await administrator().updateTokenOrganizationPermissions({
      tokenIds,
      addOrganizationPermissions: [TAGS_MANAGE, TOKENS],
      removeOrganizationPermissions: [MODEMS, TOKENS],
    });
    await administrator().updateTokenUserPermissions({ tokenIds, replaceUserPermissions: { include: [READ, UPDATE] } });
    await administrator().updateTokenRoles({
      tokenIds,
      update: { case: 'modify', value: { add: ['installer'], remove: ['viewer'] } },
    });
    const { tokens: listedTokens } = await administrator().list({ selection: { roles: { include: ['installer'] } } });
    expect(listedTokens).toMatchObject([
      { organizationPermissions: [TAGS_MANAGE], userPermissions: [READ, UPDATE], roles: ['installer'] },
    ]);
    await expect(administrator().updateTokenRoles({ tokenIds: [999n] })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
    await expect(administrator().delete({ tokenId: 999n })).rejects.toMatchObject({ code: Code.NotFound });
  });
});
