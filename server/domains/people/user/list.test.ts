import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OrganizationPermission, SupportPermission } from '#proto/gen/hiber/permission_pb.ts';
import { UserSort } from '#proto/gen/hiber/user_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';
import { createClients, joinOrganization, newUser } from '#server/testkit/users.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  await joinOrganization(t, newUser('Zoe'), ['installer'], 'northwind-north');
});
afterAll(() => t.close());

const list = async (request: object) => (await createClients(t.as('administrator')).users.list(request)).users;
const listNames = async (selection: object) => (await list({ selection })).map(({ name }) => name);

describe('the members of an organization', () => {
  test('are sorted by address or as requested, in pages', async () => {
    const unfiltered = await list({});
    expect(unfiltered.map(({ email }) => email.split('@')[0])).toEqual([
      'administrator',
      'developer',
      'operator',
      'viewer',
    ]);
    expect(unfiltered[0]).toMatchObject({
      organization: 'northwind',
      roles: ['administrator'],
      hasActiveRoleOverride: false,
    });
    expect(unfiltered[0]?.permissions?.include).toContain(OrganizationPermission.USERS_MANAGE);
    expect(unfiltered[0]?.supportPermissions).toBeUndefined();
    const byName = await list({ sort: UserSort.NAME_DESC, pagination: { size: 3, page: 1 } });
    expect(byName.map(({ name }) => name)).toEqual(['Anna Vermeer']);
    const { request, pagination } = await createClients(t.as('administrator')).users.list({ pagination: { size: 3 } });
    expect(request).toMatchObject({ organization: 'northwind', pagination: { size: 3, page: 0 } });
    expect(pagination).toMatchObject({ total: 4, totalPages: 2, next: { size: 3, page: 1 } });
  });

  test('include the members of child organizations on request, each with their organization', async () => {
    const withDescendants = await list({ childOrganizations: { includeAll: true } });
    expect(withDescendants.find(({ name }) => name === 'Zoe')).toMatchObject({
      organization: 'northwind-north',
      roles: ['installer'],
    });
    expect(withDescendants).toHaveLength(5);
    expect(await list({ childOrganizations: { includeAll: true, exclude: ['northwind-north'] } })).toHaveLength(4);
    await expect(list({ childOrganizations: { include: ['quarterdeck'] } })).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  });

  test('can be found by name, address, id, role, and permission', async () => {
    expect(await listNames({ search: 'MEE' })).toEqual(['Anna Vermeer']);
    expect(await listNames({ search: 'demo-dev' })).toEqual(['Chidi Okafor']);
    expect(await listNames({ search: '%' })).toEqual([]);
    expect(await listNames({ byEmail: 'VIEWER@northwind.example' })).toEqual(['Bram de Wit']);
    expect(await listNames({ byName: 'bram' })).toEqual([]);
    expect(await listNames({ byName: 'bram de wit' })).toEqual(['Bram de Wit']);
    expect(await listNames({ userIds: ['demo-viewer', 'demo-support'] })).toEqual(['Bram de Wit']);
    expect(await listNames({ roles: { include: ['viewer', 'operator'], exclude: ['operator'] } })).toEqual([
      'Bram de Wit',
    ]);
    const { TOKENS, USERS } = OrganizationPermission;
    expect(await listNames({ permissions: { include: [TOKENS] } })).toEqual(['Dana Kowalski', 'Chidi Okafor']);
    expect(await listNames({ permissions: { includeAll: true, exclude: [TOKENS] } })).toEqual([
      'Anna Vermeer',
      'Bram de Wit',
    ]);
    expect(await listNames({ permissions: { include: [TOKENS], exclude: [USERS] } })).toEqual(['Chidi Okafor']);
    expect(await listNames({ supportPermissions: { include: [SupportPermission.CUSTOMER_SUPPORT] } })).toEqual([]);
  });

  test('are hidden from callers without permission to see members', async () => {
    for (const kind of ['viewer', 'operator', 'developer', 'newcomer'] as const) {
      await expect(createClients(t.as(kind)).users.list({}), kind).rejects.toMatchObject({
        code: Code.PermissionDenied,
      });
    }
  });
});
