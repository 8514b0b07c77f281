import { sql } from 'drizzle-orm';

import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { DEMO_ORGANIZATION } from '#server/demo/seed/people.ts';
import { startTestServer } from '#server/testkit/server.ts';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';

const PAGE_SIZE = 100;
const ROUNDS = 20;

/** The maximum cost of a page, compared with bare SQL. */
const TARGET = 4;

/** The positions of the requested pages in the list. */
const depths = [
  { title: 'first page', fraction: 0 },
  { title: 'page in the middle', fraction: 0.5 },
];

/**
 * Measures a page of devices by name with its total, through authentication, policy, query, and presentation, compared
 * with the minimum: two bare statements. Presentation adds tags, health, message counts, and files.
 */
async function measureSize(devices: number): Promise<Row[]> {
  const server = await startTestServer({ devices });
  const { orm, pool } = server.app.db;
  // The demo seed does the same because the planner needs the table sizes.
  await pool.query('vacuum analyze');
  const client = server.as('administrator').client(DeviceService);
  const rows: Row[] = [];
  for (const { title, fraction } of depths) {
    const page = Math.floor((devices * fraction) / PAGE_SIZE);
    const times = await measureInTurn(
      {
        service: () => client.list({ pagination: { size: PAGE_SIZE, page } }),
        sql: async () => {
          await orm.execute(sql`
            select * from device where organization = ${DEMO_ORGANIZATION}
             order by name collate "natural_order", number limit ${PAGE_SIZE} offset ${page * PAGE_SIZE}`);
          await orm.execute(sql`select count(*) from device where organization = ${DEMO_ORGANIZATION}`);
        },
      },
      ROUNDS,
    );
    rows.push({
      name: `${devices.toLocaleString('en')} devices, ${title}, p50`,
      unit: 'ms',
      value: percentile(times.service, 50),
      baseline: percentile(times.sql, 50),
      target: TARGET,
    });
  }
  await server.close();
  return rows;
}

export const bench: Bench = {
  title: `DeviceService.List, ${PAGE_SIZE} devices`,
  run: async () => [...(await measureSize(2000)), ...(await measureSize(100_000))],
};
