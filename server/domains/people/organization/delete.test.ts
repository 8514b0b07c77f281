import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { EventService } from '#proto/gen/hiber/event_service_pb.ts';
import { EventType } from '#proto/gen/hiber/event_type_pb.ts';
import { OrganizationService } from '#proto/gen/hiber/organization_pb.ts';
import { OrganizationPermission } from '#proto/gen/hiber/permission_pb.ts';
import { TokenService } from '#proto/gen/hiber/token_pb.ts';
import { WebhookService } from '#proto/gen/hiber/webhook_pb.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

let t: TestServer;
beforeAll(async () => void (t = await startTestServer()));
afterAll(() => t.close());

const administrator = () => t.as('administrator').client(OrganizationService);
const remove = (organizationToDelete: string, parentOrganization = '') =>
  administrator().delete({ organizationToDelete, parentOrganization });

/** Finds the tables that contain rows of the organization. */
async function findTablesWithRows(organization: string): Promise<string[]> {
  const { rows: tables } = await t.app.db.pool.query<{ name: string }>(`
    select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'organization' and table_name !~ '_w[0-9]+$' order by 1`);
  const tablesWithRows: string[] = [];
  for (const { name } of tables) {
    const { rows } = await t.app.db.pool.query(`select 1 from ${name} where organization = $1 limit 1`, [organization]);
    if (rows.length > 0) tablesWithRows.push(name);
  }
  return tablesWithRows;
}

describe('deleting an organization', () => {
  test("is rejected for organizations that are not descendants of the caller's", async () => {
    await expect(remove('northwind')).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(remove('quarterdeck')).rejects.toThrow('"northwind" has no sub-organization "quarterdeck"');
    await expect(remove('northwind-north', 'northwind-permian')).rejects.toMatchObject({ code: Code.NotFound });
    const operator = t.as('operator').client(OrganizationService).delete({ organizationToDelete: 'northwind-north' });
    await expect(operator).rejects.toThrow('ORGANIZATION_DELETE');
  });

  test("is rejected if it would also delete organizations that the caller can't reach", async () => {
    const { token } = await t
      .as('administrator')
      .client(TokenService)
      .create({
        name: 'narrow',
        organizationPermissions: { include: [OrganizationPermission.ORGANIZATION_DELETE] },
        limitImpersonation: { includeAll: true, exclude: ['northwind-north-trials'] },
      });
    const narrowDeletion = t
      .with(token)
      .client(OrganizationService)
      .delete({ organizationToDelete: 'northwind-north' });
    await expect(narrowDeletion).rejects.toThrow('also delete "northwind-north-trials"');
  });

  test('removes all descendants and data, and records an event in the parent', async () => {
    const data = { url: 'http://127.0.0.1:9/hook' };
    const webhook = { organization: 'northwind-north', data };
    await t.as('administrator').client(WebhookService).create(webhook);
    expect(await findTablesWithRows('northwind-north')).toEqual(
      expect.arrayContaining(['device', 'device_tag', 'message']),
    );
    const { organizationsDeleted } = await remove('northwind-north');
    expect(organizationsDeleted).toMatchObject({
      organization: { organization: 'northwind-north' },
      children: [{ organization: { organization: 'northwind-north-trials' } }],
    });
    expect(await findTablesWithRows('northwind-north')).toEqual([]);
    expect(await findTablesWithRows('northwind-north-trials')).toEqual([]);
    expect(await findTablesWithRows('northwind-permian')).toContain('device');
    const selection = { events: { include: [EventType.ORGANIZATION_DELETED] } };
    const { events } = await t.as('administrator').client(EventService).history({ selection });
    expect(events[0]?.description).toContain('"northwind-north"');
    await expect(remove('northwind-north')).rejects.toMatchObject({ code: Code.NotFound });
  });
});
