import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { CurrentUserService } from '#proto/gen/hiber/current_user_pb.ts';
import { ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';

import { createIdToken, startTestServer, type TestServer } from './server.ts';
import { addTenants, type Tenants } from './tenants.ts';

let t: TestServer;
let tenants: Tenants;
beforeAll(async () => {
  t = await startTestServer();
  tenants = await addTenants(t.app.db, t.app.now());
});
afterAll(() => t.close());

test('gives both tenants the same ids', async () => {
  const rows = async (table: string, column: string, tenant: string) => {
    const { rows: idRows } = await t.app.db.orm.execute<{ id: string }>(
      sql`select ${sql.identifier(column)}::text as id from ${sql.identifier(table)} where organization = ${tenant} order by 1`,
    );
    return idRows.map(({ id }) => id);
  };
  const ids: [string, string, number][] = [
    ['tag', 'id', 3],
    ['webhook', 'id', 3],
    ['publisher_call', 'id', 3],
    ['publisher_delivery', 'id', 4],
    ['token', 'id', 3],
    ['event', 'id', 4],
    ['message', 'id', 4],
    ['support_visit', 'id', 2],
    ['support_call', 'id', 2],
    ['invitation', 'email', 1],
    ['access_request', 'user_id', 1],
  ];
  for (const [table, column, count] of ids) {
    const alphaRows = await rows(table, column, 'alpha');
    expect(alphaRows, table).toHaveLength(count);
    expect(await rows(table, column, 'beta'), table).toEqual(alphaRows);
  }
});

test('shows members and tokens of each tenant only their own data', async () => {
  for (const tenant of [tenants.alpha, tenants.beta]) {
    for (const bearer of [createIdToken(tenant.member('viewer', 2)), tenant.tokens[1]]) {
      const { modems } = await t.with(bearer).client(ModemService).list({});
      expect(modems.map(({ number }) => number).toSorted()).toEqual(tenant.devices.slice(0, 3));
    }
    const { tags } = await t.with(tenant.tokens[0]).client(TagService).list({});
    expect(tags.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  }
  const me = await t.with(createIdToken(tenants.memberOfBoth)).client(CurrentUserService).currentUser({});
  expect(me.organizations.toSorted()).toEqual(['alpha', 'beta']);
});
