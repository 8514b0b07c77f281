import process from 'node:process';

import { sql } from 'drizzle-orm';

import { BATCH_SIZE } from '#commands/run/batch.ts';
import { chunks } from '#commands/run/paging.ts';
import { DeviceService } from '#proto/gen/hiber/device_pb.ts';
import { Modem_Lifecycle, ModemService } from '#proto/gen/hiber/modem_pb.ts';
import { TagService } from '#proto/gen/hiber/tag_pb.ts';
import { DEMO_ORGANIZATION as organization } from '#server/demo/seed/people.ts';
import { startTestServer } from '#server/testkit/server.ts';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';
import { withPostgres } from './ingest/postgres.ts';

const DEVICES = 5000;
const ROUNDS = 3;

/** The minimum number of devices a second whose lifecycle a command sets, in its chunks. */
const MIN_PACE = { pglite: 1500, postgres: 2000 };

const DATABASE_VARIABLE = 'TEST_DATABASE_URL';

/** Starts the server on PostgreSQL while `task` runs. */
async function onPostgres<Result>(task: () => Promise<Result>): Promise<Result> {
  return withPostgres(async (url) => {
    process.env[DATABASE_VARIABLE] = url;
    try {
      return await task();
    } finally {
      delete process.env[DATABASE_VARIABLE];
    }
  });
}

function paceRow(database: string, lifecycle: Row, devicesPerSecond: number): Row {
  return {
    name: `${database}, set the lifecycle, vs ${devicesPerSecond.toLocaleString('en')} devices a second`,
    unit: 'ms',
    value: lifecycle.value,
    baseline: (DEVICES / devicesPerSecond) * 1000,
    isWorkBudget: true,
    target: 1,
  };
}

async function measureBoth(): Promise<Row[]> {
  const [lifecycle, tag] = await measure();
  const [onServer] = await onPostgres(measure);
  return [
    lifecycle!,
    tag!,
    paceRow('PGlite', lifecycle!, MIN_PACE.pglite),
    paceRow('PostgreSQL', onServer!, MIN_PACE.postgres),
  ];
}

/**
 * Measures changes to a whole fleet, in the chunks that commands send, through authentication, policy, checks, and an
 * event per device, compared with the bare statements that change the rows. Every round makes a change and undoes it.
 */
async function measure(): Promise<Row[]> {
  const server = await startTestServer({ devices: DEVICES });
  const { orm } = server.app.db;
  const { client } = server.as('administrator');
  const { rows } = await orm.execute<{ number: string }>(
    sql`select number from device where organization = ${organization} and lifecycle not in (0, 4, 5, 7)`,
  );
  const batches = chunks(
    rows.map(({ number }) => number),
    BATCH_SIZE,
  );
  const { id } = await client(TagService).create({ create: { name: 'Bench' } });

  const forEachBatch = async (task: (numbers: string[]) => Promise<unknown>) => {
    for (const batch of batches) await task([...batch]);
  };
  const setLifecycle = (lifecycle: Modem_Lifecycle) =>
    forEachBatch((include) =>
      client(DeviceService).update({ devices: [{ selection: { modems: { include } }, lifecycle }] }),
    );
  const updateTags = (update: { tagIdsToAdd: bigint[] } | { tagIdsToRemove: bigint[] }) =>
    forEachBatch((include) =>
      client(ModemService).updateTags({ selection: { modems: { include } }, update, pagination: { size: 1 } }),
    );
  const setLifecycleInSql = (lifecycle: Modem_Lifecycle) =>
    forEachBatch((numbers) =>
      orm.execute(sql`update device set lifecycle = ${lifecycle}, updated_at = now()
        where organization = ${organization} and number = any(${sql.param(numbers)}::text[])`),
    );
  const addTagInSql = () =>
    forEachBatch((numbers) =>
      orm.execute(sql`insert into device_tag (organization, number, tag)
        select ${organization}, number, ${Number(id)} from unnest(${sql.param(numbers)}::text[]) as number`),
    );
  const removeTagInSql = () =>
    forEachBatch((numbers) =>
      orm.execute(sql`delete from device_tag where organization = ${organization} and tag = ${Number(id)}
        and number = any(${sql.param(numbers)}::text[])`),
    );

  const { PAUSED, INSTALLED } = Modem_Lifecycle;
  const times = await measureInTurn(
    {
      lifecycle: async () => [await setLifecycle(PAUSED), await setLifecycle(INSTALLED)],
      lifecycleSql: async () => [await setLifecycleInSql(PAUSED), await setLifecycleInSql(INSTALLED)],
      tag: async () => [await updateTags({ tagIdsToAdd: [id] }), await updateTags({ tagIdsToRemove: [id] })],
      tagSql: async () => [await addTagInSql(), await removeTagInSql()],
    },
    ROUNDS,
    1,
  );
  await server.close();
  const row = (name: string, service: number[], baseline: number[], target: number): Row => ({
    name: `${rows.length.toLocaleString('en')} devices, ${name}, p50`,
    unit: 'ms',
    value: percentile(service, 50) / 2,
    baseline: percentile(baseline, 50) / 2,
    target,
  });
  return [
    row('set the lifecycle', times.lifecycle, times.lifecycleSql, 4),
    row('assign or remove a tag', times.tag, times.tagSql, 10),
  ];
}

export const bench: Bench = { title: `Changes in chunks of ${BATCH_SIZE}, with their events`, run: measureBoth };
