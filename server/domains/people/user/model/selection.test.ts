import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { UserSelectionSchema } from '#proto/gen/hiber/user_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { appUser, membership } from '#server/db/schema/user.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { selectedUsers } from './selection.ts';

const { MODEMS, MODEMS_FIRMWARE, TOKENS, USERS_MANAGE } = OrganizationPermission;

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ isEmpty: true });
  const { orm } = t.app.db;
  await orm.insert(organization).values({ id: 'acme', path: ['acme'], displayName: 'Acme' });
  const person = (id: string, name: string) => ({ id, name, email: `${id}@Example.com` });
  await orm
    .insert(appUser)
    .values([
      person('vi', 'Viola Ewer'),
      person('dev', 'Devi Loper'),
      person('in', 'Ina Staller'),
      person('ad', 'Ada Min'),
      person('su', 'Sue Port'),
    ]);
  const roles = {
    vi: ['viewer'],
    dev: ['developer'],
    in: ['installer', 'viewer'],
    ad: ['administrator'],
    su: ['support'],
  };
  await orm
    .insert(membership)
    .values(Object.entries(roles).map(([userId, names]) => ({ organization: 'acme', userId, roles: names })));
});
afterAll(() => t.close());

type Selection = MessageInitShape<typeof UserSelectionSchema> | undefined;

const query = (selection: Selection) =>
  t.app.db.orm
    .select({ id: appUser.id })
    .from(appUser)
    .innerJoin(membership, eq(membership.userId, appUser.id))
    .where(
      selectedUsers(selection && create(UserSelectionSchema, selection), {
        person: membership.userId,
        roles: sql`${membership.roles}`,
      }),
    )
    .orderBy(appUser.id);
const listIds = async (selection: Selection) => (await query(selection)).map(({ id }) => id).join(' ');
const ALL = 'ad dev in su vi';

describe('a selection of members', () => {
  test('selects everyone when empty', async () => {
    for (const emptySelection of [
      undefined,
      {},
      { search: '  ' },
      { roles: {} },
      { permissions: {} },
      { supportPermissions: {} },
    ]) {
      expect(await listIds(emptySelection)).toBe(ALL);
    }
  });

  test('evaluates each search in a hashed subplan, not once per row', async () => {
    const roles = { include: ['viewer'] };
    for (const selection of [{ byEmail: 'a' }, { byName: 'a' }, { search: 'a' }]) {
      const { rows } = await t.app.db.orm.execute<{ 'QUERY PLAN': string }>(
        sql`explain ${query({ ...selection, roles })}`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/\(hashed SubPlan 1\)/);
    }
  });

  test('matches a whole address or name, ignoring case', async () => {
    expect(await listIds({ byEmail: ' VI@example.COM ' })).toBe('vi');
    expect(await listIds({ byEmail: 'vi@example' })).toBe('');
    expect(await listIds({ byName: ' ada min' })).toBe('ad');
    expect(await listIds({ byName: 'ada' })).toBe('');
  });

  test('selects by id', async () => {
    expect(await listIds({ userIds: ['vi'] })).toBe('vi');
    expect(await listIds({ userIds: ['ad', 'dev', 'nobody'] })).toBe('ad dev');
  });

  test('searches name, address, and id, and combines criteria', async () => {
    expect(await listIds({ search: ' LOP ' })).toBe('dev');
    expect(await listIds({ search: 'vi@' })).toBe('vi');
    expect(await listIds({ search: 'dev' })).toBe('dev');
    expect(await listIds({ search: 'example', userIds: ['su'] })).toBe('su');
    expect(await listIds({ search: 'viola', byName: 'Ada Min' })).toBe('');
    expect(await listIds({ search: '%' })).toBe('');
    await t.app.db.orm.update(appUser).set({ email: 'other@example.com' }).where(eq(appUser.id, 'su'));
    expect(await listIds({ search: 'su' })).toBe('su');
    await t.app.db.orm.update(appUser).set({ name: 'Nobody' }).where(eq(appUser.id, 'su'));
    expect(await listIds({ search: 'su' })).toBe('su');
  });

  test('includes members with any of the roles and excludes others', async () => {
    expect(await listIds({ roles: { include: ['viewer'] } })).toBe('in vi');
    expect(await listIds({ roles: { include: ['viewer', 'developer'] } })).toBe('dev in vi');
    expect(await listIds({ roles: { include: ['viewer'], exclude: ['installer'] } })).toBe('vi');
    expect(await listIds({ roles: { exclude: ['viewer'] } })).toBe('ad dev su');
    expect(await listIds({ roles: { exclude: ['viewer', 'support'] } })).toBe('ad dev');
    expect(await listIds({ roles: { include: ['no such role'] } })).toBe('');
  });

  test('includes and excludes permissions through their roles', async () => {
    expect(await listIds({ permissions: { include: [MODEMS_FIRMWARE] } })).toBe('ad in su');
    expect(await listIds({ permissions: { include: [TOKENS, MODEMS_FIRMWARE] } })).toBe('ad dev in su');
    expect(await listIds({ permissions: { include: [MODEMS], exclude: [TOKENS] } })).toBe('in vi');
    expect(await listIds({ permissions: { exclude: [USERS_MANAGE] } })).toBe('dev in vi');
    expect(await listIds({ permissions: { includeAll: true } })).toBe(ALL);
    expect(await listIds({ permissions: { includeAll: true, include: [TOKENS], exclude: [MODEMS_FIRMWARE] } })).toBe(
      'dev vi',
    );
    expect(await listIds({ permissions: { include: [9999 as OrganizationPermission] } })).toBe('');
  });

  test('includes and excludes support permissions', async () => {
    const { CUSTOMER_SUPPORT } = SupportPermission;
    expect(await listIds({ supportPermissions: { include: [CUSTOMER_SUPPORT] } })).toBe('su');
    expect(await listIds({ supportPermissions: { exclude: [CUSTOMER_SUPPORT] } })).toBe('ad dev in vi');
    expect(await listIds({ supportPermissions: { include: [9999 as SupportPermission] } })).toBe('');
  });
});
