// Tests that finding the first points without sorting all of them gives the same pages as sorting all of them.
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ProcessPoint_Type } from '#proto/gen/hiber/process_point_pb.ts';
import { ListProcessPoints_Sort as Sort, ProcessPointService } from '#proto/gen/hiber/process_point_service_pb.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { startTestServer, type TestServer } from '#server/testkit/server.ts';

import { findFirstPoints } from './model/first-points.ts';

const POINTS = 1500;
const SIZE = 40;

let t: TestServer;
beforeAll(async () => {
  t = await startTestServer();
  // Several tags per point, tags with several points and with none, names in natural order, and points without a tag.
  // Values of the same time, several per device, older than the assignment, or operational, and points without one.
  for (const statement of [
    sql`insert into tag (organization, id, name, type) select ${organization}, 5000 + n, 'Pad ' || n, 'site'
      from generate_series(1, 900) as n`,
    sql`insert into process_point (organization, identifier, name, type)
      select ${organization}, 'p' || n, 'Point ' || n, 1 from generate_series(1, ${POINTS}::int) as n`,
    sql`update process_point set type = 2 where type is null`,
    sql`insert into process_point_tag (organization, point, tag)
      select distinct ${organization}, 'p' || n, 5000 + 1 + (n * 7919 + m * 104729) % 700
        from generate_series(1, ${POINTS}::int) as n, generate_series(0, n % 3) as m where n % 5 <> 0`,
    sql`insert into device (organization, number, name, lifecycle, health_level)
      select ${organization}, 'F' || n, 'Device ' || n, 1, health_level
        from generate_series(1, 1200) as n, (select health_level from device where organization = ${organization} limit 1) as one`,
    sql`insert into process_point_device (organization, point, number, since, until)
      select ${organization}, 'p' || n, 'F' || (1 + n * 7919 % 1200), now() - (1 + n % 50) * interval '1 hour',
          case when n % 11 = 0 then now() end
        from generate_series(1, ${POINTS}::int) as n where n % 9 <> 0`,
    sql`insert into latest_value (organization, number, field, time, message, parser, type, numeric, operational)
      select ${organization}, 'F' || n, 'field' || m, now() - n * 104729 % 60 * interval '1 hour', 0, 'test', 1, 1, n % 13 = 0
        from generate_series(1, 1200) as n, generate_series(0, n % 3) as m`,
  ]) {
    await t.app.db.orm.execute(statement);
  }
  // Without statistics, the planner believes that these tables are almost empty, and sorting all points takes minutes.
  await t.app.db.orm.execute(sql`analyze`);
});
afterAll(() => t.close());

test.each(Object.entries(Sort))('%s gives the same pages', async (_, sort) => {
  const { client } = t.as('administrator');
  const list = async (page: number, types: ProcessPoint_Type[], ...sortBy: Sort[]) => {
    const response = await client(ProcessPointService).list({
      sortBy,
      pagination: { size: SIZE, page },
      selection: { types },
    });
    return { identifiers: response.processPoints.map(({ identifier }) => identifier), pagination: response.pagination };
  };
  const { rows } = await t.app.db.orm.execute<{ type: ProcessPoint_Type }>(
    sql`select distinct type from process_point where type is not null`,
  );
  // Selecting every type sorts all points.
  const allTypes = rows.map(({ type }) => type);
  for (const page of [0, 1, 2, 7]) {
    expect(await list(page, [], sort)).toEqual(await list(page, allTypes, sort));
    expect(await list(page, [], sort, Sort.NAME_DESC)).toEqual(await list(page, allTypes, sort, Sort.NAME_DESC));
  }
});

const first = (sort: Sort, offset = 0) =>
  findFirstPoints(t.app.db.orm, [organization], [sort], { limit: SIZE, offset });

test('the first points are found by activity and by tag, and are far fewer than all', async () => {
  for (const sort of [Sort.ACTIVITY, Sort.TAG_TYPE_SITE_ASC]) {
    const found = (await first(sort)) ?? [];
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeGreaterThanOrEqual(SIZE);
    expect(found.length).toBeLessThan(POINTS / 5);
  }
});

test('all points are sorted for other orders, pages further down, tags that too few points have, and several organizations', async () => {
  expect(await first(Sort.TAG_TYPE_SITE_DESC)).toBeUndefined();
  expect(await first(Sort.INACTIVITY)).toBeUndefined();
  expect(await first(Sort.ACTIVITY, POINTS)).toBeUndefined();
  expect(await first(Sort.TAG_TYPE_WELL_ASC)).toBeUndefined();
  const page = { limit: SIZE, offset: 0 };
  expect(await findFirstPoints(t.app.db.orm, [organization, 'other'], [Sort.ACTIVITY], page)).toBeUndefined();
});
