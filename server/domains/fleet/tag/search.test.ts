import { create } from '@bufbuild/protobuf';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { TagSelectionSchema } from '#proto/gen/hiber/tag_pb.ts';
import type { Database } from '#server/db/database.ts';
import { tag } from '#server/db/schema/tag.ts';
import { tagWhere } from '#server/domains/fleet/device/model/tag-selection.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  await db.pool.query(`
    insert into organization (id, path, display_name) values ('acme', '{acme}', 'Acme');
    insert into tag (organization, id, name, type) select 'acme', n, 'Well ' || md5(n::text), 'site'
      from generate_series(1, 20000) as n`);
  await db.pool.query('vacuum analyze tag');
});
afterAll(() => db.close());

test('a search of many tags looks up the text in its index', async () => {
  const selection = create(TagSelectionSchema, { search: ['C4CA42'] });
  const condition = and(eq(tag.organization, 'acme'), tagWhere({ home: 'acme', visible: undefined }, selection));
  const query = db.orm.select({ name: tag.name }).from(tag).where(condition);
  expect(await query).toEqual([{ name: 'Well c4ca4238a0b923820dcc509a6f75849b' }]);
  const plan = await db.orm.execute<{ 'QUERY PLAN': string }>(sql`explain ${query}`);
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/tag_search[^]*Index Cond: .*name ~~\*/);
});
