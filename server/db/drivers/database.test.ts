import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { reserveId, reserveIds } from '#server/db/ids.ts';
import { dropOldPartitions, ensurePartitions } from '#server/db/migrate/partitions.ts';
import { organization } from '#server/db/schema/organization.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

import { vacuumEmbedded } from './vacuum.ts';

const now = new Date('2026-11-20T12:00:00Z');
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase(now);
});
afterAll(() => database.close());

test('delivers a notification after its transaction commits, and never after a rollback', async () => {
  const received: string[] = [];
  const stop = await database.listen('test_events', (payload) => received.push(payload));
  await expect(
    database.transaction(async (tx) => {
      await tx.execute(sql`select pg_notify('test_events', 'undone')`);
      throw new Error('changed my mind');
    }),
  ).rejects.toThrow('changed my mind');
  await database.transaction((tx) => tx.execute(sql`select pg_notify('test_events', 'done')`));
  await expect.poll(() => received).toEqual(['done']);
  await stop();
});

test('returns the right results for queries after a failed query', async () => {
  await expect(database.pool.query('select * from nowhere')).rejects.toThrow('nowhere');
  const results = await Promise.all(
    [1, 2, 3].map((n) => database.pool.query<{ n: number }>('select $1::int as n', [n])),
  );
  expect(results.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3]);
});

test('leaves nothing behind after a failed transaction', async () => {
  await expect(
    database.transaction(async (tx) => {
      await tx.insert(organization).values({ id: 'ghost', path: ['ghost'], displayName: 'Ghost' });
      await tx.execute(sql`select 1 / 0`);
    }),
  ).rejects.toMatchObject({ cause: { message: 'division by zero' } });
  expect(await database.orm.select().from(organization)).toEqual([]);
});

test('assigns ascending ids separately for each organization and noun', async () => {
  expect(await reserveIds(database.orm, 'acme', 'tag', 3)).toEqual([1, 2, 3]);
  expect(await reserveId(database.orm, 'acme', 'tag')).toBe(4);
  expect(await reserveId(database.orm, 'acme', 'webhook')).toBe(1);
  expect(await reserveId(database.orm, 'other', 'tag')).toBe(1);
});

test('creates partitions in advance and drops partitions after the retention period', async () => {
  const partitions = async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relname like 'publisher_call_w________' and relkind = 'r' order by 1`,
    );
    return rows.map(({ name }) => name);
  };
  expect((await partitions())[0]).toBe('publisher_call_w20261102');
  const laterTime = new Date('2027-01-06T00:00:00Z');
  await ensurePartitions(database.pool, laterTime);
  expect((await partitions()).at(-1)).toBe('publisher_call_w20270201');
  // Each run drops only one partition, so a clock that is wrong for an hour doesn't delete the whole history.
  await dropOldPartitions(database.pool, laterTime);
  expect((await partitions())[0]).toBe('publisher_call_w20261109');
  for (let day = 0; day < 5; day += 1) await dropOldPartitions(database.pool, laterTime);
  expect((await partitions())[0]).toBe('publisher_call_w20261130');
});

test('vacuums the embedded database and leaves PostgreSQL to autovacuum', async () => {
  await vacuumEmbedded(database);
  const tables = ['device_condition', 'latest_value', 'process_point', 'process_point_device', 'process_point_tag'];
  const { rows } = await database.pool.query<{ name: string; analyzed: boolean }>(
    `select relname as name, reltuples >= 0 as analyzed from pg_class where relname = any($1) order by 1`,
    [tables],
  );
  expect(rows).toEqual(tables.map((name) => ({ name, analyzed: database.kind === 'pglite' })));
});

test('sorts numbers in names by value on either database', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select name from unnest(array['Avocet 10', 'avocet 9', 'Bittern 1', 'Avocet 2', 'Avocet', 'Étang 3', 'Avocet 02']) as name
      order by name collate "natural_order"`,
  );
  const sorted = ['Avocet', 'Avocet 02', 'Avocet 2', 'avocet 9', 'Avocet 10', 'Bittern 1', 'Étang 3'];
  expect(rows.map(({ name }) => name)).toEqual(sorted);
});

test('reads a page of devices by name from the index, without sorting', async () => {
  const plan = await database.transaction(async (tx) => {
    await tx.execute(`set local enable_seqscan = off`);
    return tx.execute<{ 'QUERY PLAN': string }>(
      `explain select number from device where organization = 'northwind' order by name collate "natural_order", number limit 50`,
    );
  });
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('device_by_name');
  expect(text).not.toContain('Sort');
});

test('sorts names alphabetically on either database, and ignores case and accents', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select name from unnest(array['zebra', 'Étang', 'apple', 'Zulu', 'eagle', 'Apple']) as name
      order by name collate "und-x-icu"`,
  );
  expect(rows.map(({ name }) => name)).toEqual(['apple', 'Apple', 'eagle', 'Étang', 'zebra', 'Zulu']);
});
