import { create } from '@bufbuild/protobuf';
import { and, eq, sql, type SQLWrapper } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { DeviceSelectionSchema } from '#proto/gen/hiber/device_pb.ts';
import { TagSelectionSchema } from '#proto/gen/hiber/tag_pb.ts';
import type { Database } from '#server/db/database.ts';
import { device } from '#server/db/schema/device.ts';
import { tag } from '#server/db/schema/tag.ts';
import { readDeviceCriteria } from '#server/domains/fleet/device/model/criteria.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { deviceWhere } from '#server/domains/fleet/device/model/where.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

const now = new Date('2026-11-20T12:00:00Z');

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme');
    insert into tag (organization, id, name, type) select 'acme', n, 'Well ' || md5(n::text), 'site'
      from generate_series(1, 20000) as n;
    insert into health_level (organization, level, severity, catch_all, color_data) values ('acme', 'Healthy', 1, true, '{}');
    insert into device (organization, number, name, lifecycle, health_level)
      select 'acme', 'AAAA ' || lpad(n::text, 4, '0'), 'Device', 1, 'Healthy' from generate_series(1, 2000) as n;
    insert into device_tag (organization, number, tag) select organization, number, row_number() over (order by number)
      from device`);
  for (const table of ['tag', 'device_tag', 'device', 'device_search']) await db.pool.query(`vacuum analyze ${table}`);
});
afterAll(() => db.close());

const explain = async (query: SQLWrapper) => {
  const plan = await db.orm.execute<{ 'QUERY PLAN': string }>(sql`explain ${query}`);
  return plan.rows.map((row) => row['QUERY PLAN']).join('\n');
};

test('searches many tags through the text index', async () => {
  const selection = create(TagSelectionSchema, { search: ['C4CA42'] });
  const condition = and(eq(tag.organization, 'acme'), tagWhere({ home: 'acme', visibleDevices: undefined }, selection));
  const query = db.orm.select({ name: tag.name }).from(tag).where(condition);
  expect(await query).toEqual([{ name: 'Well c4ca4238a0b923820dcc509a6f75849b' }]);
  expect(await explain(query)).toMatch(/tag_search[^]*Index Cond: .*name ~~\*/);
});

test('reads only the devices with a matching tag in a search for devices by tag name', async () => {
  const scope = { home: 'acme', organizations: ['acme'], allLifecycles: true };
  const where = deviceWhere(
    scope,
    readDeviceCriteria(create(DeviceSelectionSchema, { freeTextSearch: 'C4CA42' }), now),
  );
  const query = db.orm.select({ number: device.number }).from(device).where(where);
  expect(await query).toEqual([{ number: 'AAAA 0001' }]);
  const plan = await explain(query);
  expect(plan).toMatch(/tag_search[^]*Index Cond: .*name ~~\*/);
  expect(plan).toMatch(/device_tag_by_tag/);
  expect(plan).not.toMatch(/Seq Scan on device_tag/);
});
