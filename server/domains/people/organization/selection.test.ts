import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OrganizationSelectionSchema } from '#proto/gen/hiber/organization_pb.ts';
import { organization } from '#server/db/schema/organization.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { selectedOrganizations } from './selection.ts';

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer({ isEmpty: true });
  const names = { acme: 'Acme Wells', 'acme-north': 'The Far Field', other: 'Someone Else', odd: '100%' };
  await t.app.db.orm
    .insert(organization)
    .values(Object.entries(names).map(([id, displayName]) => ({ id, path: [id], displayName })));
});
afterAll(() => t.close());

async function listIds(selection: MessageInitShape<typeof OrganizationSelectionSchema> | undefined): Promise<string> {
  const rows = await t.app.db.orm
    .select({ id: organization.id })
    .from(organization)
    .where(selectedOrganizations(selection && create(OrganizationSelectionSchema, selection)))
    .orderBy(organization.id);
  return rows.map(({ id }) => id).join(' ');
}

describe('a selection of organizations', () => {
  test('selects everything when empty', async () => {
    for (const emptySelection of [undefined, {}, { search: ' ' }, { organizations: {} }]) {
      expect(await listIds(emptySelection)).toBe('acme acme-north odd other');
    }
  });

  test('searches slugs and names literally, ignoring case', async () => {
    expect(await listIds({ search: ' ACME ' })).toBe('acme acme-north');
    expect(await listIds({ search: 'far f' })).toBe('acme-north');
    expect(await listIds({ search: '%' })).toBe('odd');
  });

  test('includes and excludes organizations', async () => {
    expect(await listIds({ organizations: { include: ['acme'] } })).toBe('acme');
    expect(await listIds({ organizations: { include: ['acme', 'odd', 'none'] } })).toBe('acme odd');
    expect(await listIds({ organizations: { exclude: ['acme'] } })).toBe('acme-north odd other');
    expect(await listIds({ organizations: { include: ['acme', 'odd'], exclude: ['odd', 'other'] } })).toBe('acme');
    expect(await listIds({ search: 'acme', organizations: { exclude: ['acme'] } })).toBe('acme-north');
  });
});
