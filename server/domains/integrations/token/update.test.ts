import { Code } from '@connectrpc/connect';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { membership } from '#server/db/schema/user.ts';
import type { Scope } from '#server/session/scope.ts';
import { demoPerson, createIdToken, startTestServer, type TestServer } from '#server/testkit/server.ts';

import { lockParentToken } from './parent.ts';

const { MODEMS, TAGS_MANAGE, TOKENS } = OrganizationPermission;
const { DELETE, READ, UPDATE } = UserPermission;
const NORTH = 'northwind-north';
const HOUR = 3600 * 1000;

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
beforeEach(() => t.app.db.orm.delete(tokens));
afterAll(() => t.close());

type Request = Parameters<ReturnType<typeof administrator>['create']>[0];
const administrator = () => t.as('administrator').client(TokenService);
const inMs = (ms: number) => ({ textual: new Date(t.app.now().getTime() + ms).toISOString() });
const createToken = async (name: string, request: Request = {}) => {
  const { token: secret, created } = await administrator().create({ name, ...request });
  return { secret, id: created!.id };
};
const findRow = async (name: string, organization = 'northwind') => {
  const [storedRow] = await t.app.db.orm
    .select()
    .from(tokens)
    .where(and(eq(tokens.organization, organization), eq(tokens.name, name)));
  return storedRow!;
};
const isValid = (secret: string) =>
  t
    .with(secret)
    .client(CurrentUserService)
    .currentUser({})
    .then(
      () => true,
      () => false,
    );

describe('updating a token', () => {
  test('replaces, adds, and removes organization permissions', async () => {
    const { id } = await createToken('one', { organizationPermissions: { include: [MODEMS] } });
    const update = (request: object) =>
      administrator().updateTokenOrganizationPermissions({ tokenIds: [id], ...request });
    await update({ addOrganizationPermissions: [TAGS_MANAGE] });
    expect((await findRow('one')).organizationPermissions).toEqual([MODEMS, TAGS_MANAGE]);
    await update({
      replaceOrganizationPermissions: { include: [TOKENS, TAGS_MANAGE], exclude: [TAGS_MANAGE] },
      addOrganizationPermissions: [OrganizationPermission.FILES],
    });
    expect((await findRow('one')).organizationPermissions).toEqual([TOKENS, OrganizationPermission.FILES]);
    await update({ replaceOrganizationPermissions: {} });
    expect((await findRow('one')).organizationPermissions).toEqual([]);
  });

  test('replaces, adds, and removes user permissions', async () => {
    const { id } = await createToken('one', { userPermissions: { include: [READ] } });
    const update = (request: object) => administrator().updateTokenUserPermissions({ tokenIds: [id], ...request });
    await update({ addUserPermissions: [UPDATE] });
    expect((await findRow('one')).userPermissions).toEqual([READ, UPDATE]);
    await update({ addUserPermissions: [DELETE], removeUserPermissions: [READ] });
    expect((await findRow('one')).userPermissions).toEqual([UPDATE, DELETE]);
    await update({ replaceUserPermissions: { include: [READ] } });
    expect((await findRow('one')).userPermissions).toEqual([READ]);
  });

  test('replaces, adds, and removes roles', async () => {
    const { id } = await createToken('one', { roles: { include: ['viewer'] } });
    const modify = (add: string[], remove: string[]) =>
      administrator().updateTokenRoles({ tokenIds: [id], update: { case: 'modify', value: { add, remove } } });
    await modify(['installer'], []);
    expect((await findRow('one')).roles).toEqual(['viewer', 'installer']);
    await modify(['operator'], ['viewer', 'operator']);
    expect((await findRow('one')).roles).toEqual(['installer']);
    const replace = (roles: string[]) =>
      administrator().updateTokenRoles({ tokenIds: [id], update: { case: 'replace', value: { roles } } });
    await replace(['developer']);
    expect((await findRow('one')).roles).toEqual(['developer']);
    await expect(administrator().updateTokenRoles({ tokenIds: [id] })).rejects.toThrow('add and remove');
  });

  test("does not affect another organization's token with the same id", async () => {
    const [one, two] = [await createToken('one'), await createToken('two')];
    await createToken('other');
    await t.app.db.orm
      .insert(tokens)
      .values({ ...(await findRow('one')), organization: NORTH, name: 'same id', hash: new Uint8Array([1]) });
    await administrator().updateTokenOrganizationPermissions({
      tokenIds: [two.id, one.id, two.id],
      addOrganizationPermissions: [MODEMS],
    });
    const rows = await t.app.db.orm.select().from(tokens).orderBy(tokens.name);
    expect(rows.map(({ name, organizationPermissions }) => [name, organizationPermissions])).toEqual([
      ['one', [MODEMS]],
      ['other', []],
      ['same id', []],
      ['two', [MODEMS]],
    ]);
  });

  test('rejects missing tokens and lists their ids', async () => {
    const { id } = await createToken('one');
    const update = (tokenIds: bigint[]) =>
      administrator().updateTokenOrganizationPermissions({ tokenIds, addOrganizationPermissions: [MODEMS] });
    await expect(update([])).rejects.toThrow('Specify the tokens to update.');
    await expect(update([id, 998n, 999n])).rejects.toMatchObject({ code: Code.NotFound });
    await expect(update([id, 998n, 999n])).rejects.toThrow('northwind has no tokens with ids 998 and 999.');
    expect((await findRow('one')).organizationPermissions).toEqual([]);
    await t.app.db.orm.insert(tokens).values({
      ...(await findRow('one')),
      organization: NORTH,
      id: 998,
      name: 'elsewhere',
      hash: new Uint8Array([1]),
    });
    await expect(administrator().delete({ tokenId: 998n })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test('checks only added permissions and roles against owner and caller', async () => {
    const forUserId = demoPerson('viewer').id;
    const { id } = await createToken('theirs', { forUserId });
    await administrator().updateTokenOrganizationPermissions({ tokenIds: [id], addOrganizationPermissions: [MODEMS] });
    await administrator().updateTokenRoles({
      tokenIds: [id],
      update: { case: 'modify', value: { add: ['viewer'], remove: [] } },
    });
    await administrator().updateTokenOrganizationPermissions({
      tokenIds: [id],
      removeOrganizationPermissions: [MODEMS],
    });
    expect(await findRow('theirs')).toMatchObject({ roles: ['viewer'], organizationPermissions: [] });
    const developerToken = await t.as('developer').client(TokenService).create({ name: 'own' });
    const ownUpdate = { tokenIds: [developerToken.created!.id], addOrganizationPermissions: [TAGS_MANAGE] };
    await t.as('developer').client(TokenService).updateTokenOrganizationPermissions(ownUpdate);
    expect((await findRow('own')).organizationPermissions).toEqual([TAGS_MANAGE]);
  });

  test('ends streams that the token opened', async () => {
    const { secret, id } = await createToken('listener', { organizationPermissions: { include: [MODEMS] } });
    const options = { headers: { 'quarterdeck-keep-alive': '5' } };
    const stream = t.with(secret).client(EventService).stream({}, options)[Symbol.asyncIterator]();
    await stream.next();
    const update = { tokenIds: [id], removeOrganizationPermissions: [MODEMS] };
    await administrator().updateTokenOrganizationPermissions(update);
    for (let next = await stream.next(); !next.done; next = await stream.next());
    await expect(stream.next()).resolves.toMatchObject({ done: true });
  });
});

describe('an expiring token', () => {
  test("can't grant anything to a token that outlasts it", async () => {
    const permissions = {
      organizationPermissions: { include: [TOKENS, MODEMS] },
      userPermissions: { include: [READ] },
      roles: { include: ['viewer'] },
    };
    const { secret } = await createToken('short', { expiresAt: inMs(HOUR), ...permissions });
    const shortLivedClient = t.with(secret).client(TokenService);
    const lastingToken = await createToken('lasting');
    const laterToken = await createToken('later', { expiresAt: inMs(2 * HOUR) });
    const addUserPermissions = [READ];
    const addOrganizationPermissions = [MODEMS];
    const update = { case: 'modify' as const, value: { add: ['viewer'], remove: [] } };
    for (const tokenIds of [[lastingToken.id], [laterToken.id]]) {
      for (const call of [
        () => shortLivedClient.updateTokenOrganizationPermissions({ tokenIds, addOrganizationPermissions }),
        () => shortLivedClient.updateTokenUserPermissions({ tokenIds, addUserPermissions }),
        () => shortLivedClient.updateTokenRoles({ tokenIds, update }),
      ]) {
        await expect(call()).rejects.toThrow('expires before');
      }
    }
    const { secret: lastingSecret } = await createToken('forever', permissions);
    const lastingClient = t.with(lastingSecret).client(TokenService);
    await expect(
      lastingClient.updateTokenUserPermissions({ tokenIds: [lastingToken.id], addUserPermissions }),
    ).resolves.toBeDefined();
  });
});

describe('the calling token', () => {
  test('is locked in its own organization, and must not have changed since the call began', async () => {
    const { id } = await createToken('used', { roles: { include: ['viewer'] } });
    const usedRow = await findRow('used');
    await t.app.db.orm
      .insert(tokens)
      .values({ ...usedRow, organization: NORTH, name: 'same id', roles: [], hash: new Uint8Array([1]) });
    const lockParent = (token: typeof usedRow | undefined) =>
      t.app.db.transaction((tx) => lockParentToken(tx, { session: { token } } as Scope));
    expect(await lockParent(undefined)).toBeUndefined();
    expect(await lockParent(usedRow)).toMatchObject({ organization: 'northwind', id: Number(id) });
    for (const earlierPermissions of [
      { organizationPermissions: [MODEMS] },
      { userPermissions: [READ] },
      { roles: [] },
    ]) {
      await expect(lockParent({ ...usedRow, ...earlierPermissions })).rejects.toMatchObject({ code: Code.Aborted });
    }
    await expect(lockParent({ ...usedRow, id: 999 })).rejects.toMatchObject({ code: Code.Unauthenticated });
  });
});

describe('deleting an account', () => {
  test("deletes the person's tokens, but no one else's", async () => {
    const { secret: bystanderSecret } = await createToken('bystander');
    const person = (id: string) =>
      t.with(createIdToken({ ...demoPerson('developer'), id, email: `${id}@example.com` }));
    const joinAsAdministrator = async (id: string) => {
      await person(id).client(CurrentUserService).currentUser({});
      await t.app.db.orm.insert(membership).values({ organization: 'northwind', userId: id, roles: ['administrator'] });
      return person(id);
    };
    const userWithoutTokens = await joinAsAdministrator('without-tokens');
    await userWithoutTokens.client(CurrentUserService).deleteCurrentUser({});
    expect(await isValid(bystanderSecret)).toBe(true);
    const leaver = await joinAsAdministrator('with-tokens');
    const organizationPermissions = { include: [TOKENS] };
    const parent = await leaver.client(TokenService).create({ name: 'parent', organizationPermissions });
    const child = await t.with(parent.token).client(TokenService).create({ name: 'child' });
    await leaver.client(CurrentUserService).deleteCurrentUser({});
    expect([await isValid(parent.token), await isValid(child.token), await isValid(bystanderSecret)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
