import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { OrganizationService, type OrganizationTree } from '#proto/gen/hiber/organization_pb.ts';
import { RoleService } from '#proto/gen/hiber/role_service_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const organizations = () => t.as('viewer').client(OrganizationService);
const outline = (tree: OrganizationTree | undefined): unknown =>
  tree && [tree.organization?.organization, ...tree.children.map(outline)];

describe('the organization tree', () => {
  test("nests descendants under the caller's organization", async () => {
    const { tree, request } = await organizations().tree({});
    expect(outline(tree)).toEqual([
      'northwind',
      ['northwind-north', ['northwind-north-trials']],
      ['northwind-offshore'],
      ['northwind-permian'],
    ]);
    expect(request?.organization).toBe('northwind');
  });

  test('keeps the ancestors of a match', async () => {
    const { tree } = await organizations().tree({ selection: { search: 'TRIALS' } });
    expect(outline(tree)).toEqual(['northwind', ['northwind-north', ['northwind-north-trials']]]);
  });
});

describe('child organizations', () => {
  test('are listed in pages, with only their names unless details are requested', async () => {
    const firstPage = await organizations().listChildOrganizations({ pagination: { size: 3 } });
    expect(firstPage.childOrganizations.map((childOrganization) => childOrganization.displayName)).toEqual([
      'Northwind North',
      'Northwind North Trials',
      'Northwind Offshore',
    ]);
    expect(firstPage.childOrganizations[0]?.contact).toBeUndefined();
    const secondPage = await organizations().listChildOrganizations({
      pagination: firstPage.pagination?.next,
      includeDetails: true,
      selection: { organizations: { exclude: ['northwind-north'] } },
    });
    expect(secondPage).toMatchObject({ childOrganizations: [], pagination: { total: 3, totalPages: 1 } });
    const response = await organizations().listChildOrganizations({ includeDetails: true });
    expect(response.childOrganizations[0]?.contact?.email).toContain('@');
  });
});

describe('avatars', () => {
  test('are returned for requested, accessible organizations', async () => {
    const { orm } = t.app.db;
    const image = { avatarImage: new Uint8Array([1, 2]), avatarMediaType: 'image/png' };
    await orm.update(organization).set(image).where(eq(organization.id, 'northwind'));
    await orm
      .update(organization)
      .set({ avatarUrl: 'https://example.com/a.png' })
      .where(eq(organization.id, 'quarterdeck'));
    const request = { organizations: ['northwind', 'northwind-north', 'quarterdeck'] };
    const { avatars } = await organizations().getAvatar(request);
    expect(Object.keys(avatars)).toEqual(['northwind']);
    expect(avatars.northwind?.urlOrImage).toMatchObject({ case: 'image', value: { mediaType: 'image/png' } });
    const forSupport = await t.as('support').client(OrganizationService).getAvatar(request);
    expect(Object.keys(forSupport.avatars)).toEqual(['northwind', 'quarterdeck']);
  });
});

describe('accessible organizations', () => {
  const accessible = (kind: 'viewer' | 'support' | 'newcomer', request = {}) =>
    t.as(kind).client(CurrentUserService).accessibleOrganizations(request);
  const slugs = (response: Awaited<ReturnType<typeof accessible>>) =>
    response.organizations.map((organization) => organization.organization);

  test("include all organizations for staff, and a member's own with their descendants", async () => {
    const viewer = await accessible('viewer');
    expect(slugs(viewer)).toHaveLength(5);
    expect(viewer.organizations[0]).toMatchObject({
      organization: 'northwind',
      member: true,
      defaultOrganization: true,
    });
    expect(viewer.organizations[1]).toMatchObject({ member: false, defaultOrganization: false });
    expect((await accessible('support')).pagination?.total).toBeGreaterThan(11);
    expect(slugs(await accessible('newcomer'))).toEqual([]);
  });

  test('can be searched and filtered', async () => {
    expect(slugs(await accessible('support', { search: 'wind off' }))).toEqual(['northwind-offshore']);
    expect(slugs(await accessible('support', { search: '_' }))).toEqual([]);
    expect(slugs(await accessible('viewer', { memberOnly: true }))).toEqual(['northwind']);
    expect(slugs(await accessible('support', { defaultOnly: true }))).toEqual(['quarterdeck']);
  });
});

describe('roles', () => {
  test('can be granted by callers who hold all of their permissions', async () => {
    const listRoles = async (kind: 'developer' | 'support') => {
      const { roles } = await t.as(kind).client(RoleService).list({});
      return roles.map((role) => `${role.identifier}${role.grantable ? '' : ' (not grantable)'}`);
    };
    expect(await listRoles('developer')).toEqual([
      'viewer',
      'operator',
      'developer',
      'administrator (not grantable)',
      'installer (not grantable)',
    ]);
    expect(await listRoles('support')).toContain('support');
    const { roles } = await t
      .as('developer')
      .client(RoleService)
      .list({ selection: { onlyGrantable: true, search: 'ope' } });
    expect(roles.map((role) => role.identifier)).toEqual(['operator', 'developer']);
  });
});
