import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationPermission, UserPermission } from '#proto/gen/hiber/permission_pb.ts';
import { Token_Type, TokenService } from '#proto/gen/hiber/token_pb.ts';
import { token as tokens } from '#server/db/schema/token.ts';
import { demoPerson, startTestServer, type TestServer } from '#server/testkit/server.ts';

const { TOKENS, USERS } = OrganizationPermission;
const NORTH = 'northwind-north';
const HOUR = 3600 * 1000;

type Row = typeof tokens.$inferInsert;
const row = (name: string, id: number, overrides: Partial<Row> = {}): Row => ({
  organization: 'northwind',
  id,
  name,
  userId: demoPerson('administrator').id,
  hash: new TextEncoder().encode(`${name} ${id}`),
  type: Token_Type.SPECIFIC,
  ...overrides,
});

let t: TestServer;
let now: Date;
beforeAll(async () => {
  t = await startTestServer();
  now = t.app.now();
  const [developer, support] = [demoPerson('developer').id, demoPerson('support').id];
  await t.app.db.orm.delete(tokens);
  await t.app.db.orm
    .insert(tokens)
    .values([
      row('charlie', 901, { roles: ['viewer'], lastUsed: '2026-03-04' }),
      row('bravo', 904, { userId: developer, roles: ['viewer', 'installer'] }),
      row('alpha', 903, { userId: developer, type: Token_Type.PERSONAL, expiresAt: new Date(now.getTime() + HOUR) }),
      row('delta', 905, { userId: support, roles: ['operator'] }),
      row('same name', 907),
      row('same name', 906),
      row('expired', 908, { expiresAt: new Date(now.getTime() - HOUR) }),
      row('elsewhere', 901, { organization: NORTH }),
    ]);
});
afterAll(() => t.close());

type Request = Parameters<ReturnType<typeof list>>[0];
const list = () => t.as('administrator').client(TokenService).list;
const listNames = async (request: Request = {}) => (await list()(request)).tokens.map(({ name }) => name);
const namesFor = (selection: NonNullable<Request['selection']>) => listNames({ selection });

describe('the tokens of an organization', () => {
  test('are its own, sorted by name and then id', async () => {
    const { tokens: listedTokens } = await list()({});
    expect(listedTokens.map(({ name, id }) => [name, id])).toEqual([
      ['alpha', 903n],
      ['bravo', 904n],
      ['charlie', 901n],
      ['delta', 905n],
      ['same name', 906n],
      ['same name', 907n],
    ]);
    expect(await listNames({ organization: NORTH })).toEqual(['elsewhere']);
  });

  test('include their details and leave missing details unset', async () => {
    const { tokens: listedTokens } = await list()({});
    const [alpha, , charlie] = listedTokens;
    expect(alpha).toMatchObject({ organization: 'northwind', type: Token_Type.PERSONAL, usedForThisCall: false });
    expect(alpha?.expiresAt?.textual).toBe(new Date(now.getTime() + HOUR).toISOString());
    expect(alpha?.lastUsed).toBeUndefined();
    expect(charlie?.lastUsed).toMatchObject({ year: 2026, month: 3, day: 4, textual: '2026-03-04' });
    expect(charlie?.expiresAt).toBeUndefined();
    expect(charlie?.limitImpersonation).toBeUndefined();
    expect(listedTokens.some(({ usedForThisCall }) => usedForThisCall)).toBe(false);
  });

  test('name their owners, unless the owner is not a member', async () => {
    const { tokens: listedTokens } = await list()({});
    expect(listedTokens.map(({ userDetails }) => [userDetails?.id, userDetails?.name, userDetails?.email])).toEqual([
      ['demo-developer', 'Chidi Okafor', 'developer@northwind.example'],
      ['demo-developer', 'Chidi Okafor', 'developer@northwind.example'],
      ['demo-administrator', 'Dana Kowalski', 'administrator@northwind.example'],
      ['demo-support', '', ''],
      ['demo-administrator', 'Dana Kowalski', 'administrator@northwind.example'],
      ['demo-administrator', 'Dana Kowalski', 'administrator@northwind.example'],
    ]);
    const northList = await list()({ organization: NORTH });
    expect(northList.tokens[0]?.userDetails).toMatchObject({ id: 'demo-administrator', name: '', email: '' });
  });

  test('come in pages, with a total', async () => {
    const { tokens: listedTokens, pagination, request } = await list()({ pagination: { size: 2, page: 1 } });
    expect(listedTokens.map(({ name }) => name)).toEqual(['charlie', 'delta']);
    expect(pagination).toMatchObject({ size: 2, page: 1, total: 6, totalPages: 3 });
    expect(request).toMatchObject({ organization: 'northwind', pagination: { size: 2, page: 1 } });
    const emptyPage = await list()({ selection: { name: 'no such name' } });
    expect([emptyPage.tokens, emptyPage.pagination?.total]).toEqual([[], 0]);
  });
});

describe('a selection of tokens', () => {
  test('matches part of the name, ignoring case and surrounding spaces', async () => {
    expect(await namesFor({ name: ' RAV ' })).toEqual(['bravo']);
    expect(await namesFor({ name: '_' })).toEqual([]);
  });

  test('includes and excludes owners', async () => {
    const [developer, support] = [demoPerson('developer').id, demoPerson('support').id];
    expect(await namesFor({ users: { include: [developer] } })).toEqual(['alpha', 'bravo']);
    expect(await namesFor({ users: { include: [developer, support] } })).toEqual(['alpha', 'bravo', 'delta']);
    expect(await namesFor({ users: { exclude: [developer] } })).toEqual(['charlie', 'delta', 'same name', 'same name']);
    expect(await namesFor({ users: { include: [developer, support], exclude: [developer] } })).toEqual(['delta']);
  });

  test('includes and excludes roles, matching any of them', async () => {
    expect(await namesFor({ roles: { include: ['viewer'] } })).toEqual(['bravo', 'charlie']);
    expect(await namesFor({ roles: { include: ['installer', 'operator'] } })).toEqual(['bravo', 'delta']);
    expect(await namesFor({ roles: { include: ['viewer'], exclude: ['installer'] } })).toEqual(['charlie']);
    expect(await namesFor({ roles: { exclude: ['installer', 'operator'] } })).toEqual([
      'alpha',
      'charlie',
      'same name',
      'same name',
    ]);
  });

  test('filters by type', async () => {
    const { PERSONAL, SPECIFIC } = Token_Type;
    expect(await namesFor({ type: [PERSONAL] })).toEqual(['alpha']);
    expect(await namesFor({ type: [SPECIFIC], name: 'a' })).toEqual([
      'bravo',
      'charlie',
      'delta',
      'same name',
      'same name',
    ]);
    expect(await namesFor({ type: [PERSONAL, SPECIFIC] })).toHaveLength(6);
  });

  test('includes expired tokens on request and counts the matches', async () => {
    expect(await namesFor({ includeExpired: false, name: 'expired' })).toEqual([]);
    const { tokens: listedTokens, pagination } = await list()({ selection: { includeExpired: true, name: 'expired' } });
    expect(listedTokens.map(({ name }) => name)).toEqual(['expired']);
    expect(pagination?.total).toBe(1);
  });
});

describe("a token's owner", () => {
  const { READ } = UserPermission;
  /** Returns the owner names that a token of the administrator can see on itself and on a developer's token. */
  const ownersSeenWith = async (organization: OrganizationPermission[], user: UserPermission[]) => {
    const created = await t
      .as('administrator')
      .client(TokenService)
      .create({
        name: 'lister',
        organizationPermissions: { include: [TOKENS, ...organization] },
        userPermissions: { include: user },
      });
    const { tokens: listedTokens } = await t.with(created.token).client(TokenService).list({});
    await t.as('administrator').client(TokenService).delete({ tokenId: created.created!.id });
    const ownerOf = (name: string) => listedTokens.find((token) => token.name === name)?.userDetails?.name;
    return [ownerOf('lister'), ownerOf('bravo')];
  };

  test('is visible to callers who may see members, and to owners who may see themselves', async () => {
    expect(await ownersSeenWith([], [])).toEqual(['', '']);
    expect(await ownersSeenWith([], [READ])).toEqual(['Dana Kowalski', '']);
    expect(await ownersSeenWith([USERS], [])).toEqual(['Dana Kowalski', 'Chidi Okafor']);
  });
});

describe('the calling token', () => {
  test("is not confused with another organization's token with the same id", async () => {
    const administrator = t.as('administrator').client(TokenService);
    const { token: secret, created } = await administrator.create({
      name: 'marked',
      organizationPermissions: { include: [TOKENS] },
    });
    await t.app.db.orm.insert(tokens).values(row('same id', Number(created!.id), { organization: NORTH }));
    const markedNames = async (organization: string) => {
      const { tokens: listedTokens } = await t.with(secret).client(TokenService).list({ organization });
      return listedTokens.filter(({ usedForThisCall }) => usedForThisCall).map(({ name }) => name);
    };
    expect(await markedNames('northwind')).toEqual(['marked']);
    expect(await markedNames(NORTH)).toEqual([]);
    await t.with(secret).client(CurrentUserService).currentUser({});
    await administrator.delete({ tokenId: created!.id });
    expect(await listNames({ organization: NORTH })).toEqual(['elsewhere', 'same id']);
  });
});
