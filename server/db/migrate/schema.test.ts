// The schema in code equals the tables that the migrations create, and the snapshot from which the next one is generated.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { migrationsFolder } from '#server/base/paths.ts';
import type { Database } from '#server/db/database.ts';
import { CASING } from '#server/db/orm.ts';
import { openTestDatabase } from '#server/testkit/database.ts';
import { readMigrations } from '#server/testkit/release/fixture.ts';

import drizzleConfig from '../../../drizzle.config.ts';

/** Drizzle can't declare exclusion constraints, so only a migration has this one. */
const MIGRATION_ONLY = ['process_point_device.process_point_device_overlap'];

const modules = import.meta.glob<Record<string, unknown>>(['../schema/*.ts', '../../domains/*/*/schema.ts'], {
  eager: true,
});
const schema = Object.assign({}, ...Object.values(modules)) as Record<string, unknown>;

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

type Snapshot = ReturnType<typeof generateDrizzleJson>;
const describeSchema = (): Snapshot => generateDrizzleJson(schema, undefined, undefined, CASING);

async function readLatestSnapshot(): Promise<Snapshot> {
  const last = (await readMigrations()).at(-1)?.name.slice(0, 4);
  return JSON.parse(await readFile(join(migrationsFolder, 'meta', `${last}_snapshot.json`), 'utf8')) as Snapshot;
}

/** Describes the tables, columns, indexes, and constraints of a PostgreSQL schema, by name, without its own name. */
async function readCatalog(client: PoolClient, name: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ key: string; value: string }>(
    `with tables as (select oid, relname from pg_class
       where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition)
     select relname || '.' || attname as key, concat_ws(' ', format_type(atttypid, atttypmod), 'collate', collname,
         case when attnotnull then 'not null' end, attidentity, attgenerated, pg_get_expr(adbin, adrelid)) as value
       from tables join pg_attribute a on attrelid = tables.oid and attnum > 0 and not attisdropped
       left join pg_attrdef on adrelid = attrelid and adnum = attnum left join pg_collation c on c.oid = attcollation
     union all
     select relname || '.' || conname, pg_get_constraintdef(c.oid) from tables join pg_constraint c on conrelid = tables.oid
      where contype <> 'n'
     union all
     select relname || '.' || indexrelid::regclass::text, pg_get_indexdef(indexrelid)
       from tables join pg_index on indrelid = tables.oid`,
    [name],
  );
  const plain = (text: string) =>
    text.replaceAll(`${name}.`, '').replaceAll('public.', '').replace(' ON ONLY ', ' ON ');
  return Object.fromEntries(rows.map(({ key, value }) => [plain(key), plain(value)]));
}

test('all schema files of drizzle-kit are compared', () => {
  expect(drizzleConfig).toMatchObject({ schema: ['./server/db/schema/*.ts', './server/domains/*/*/schema.ts'] });
});

test('the latest snapshot is the schema, so the next generated migration has only what is new', async () => {
  expect(await generateMigration(await readLatestSnapshot(), describeSchema())).toEqual([]);
});

test('the migrations create the tables, columns, indexes, and constraints of the schema', async () => {
  const statements = await generateMigration(generateDrizzleJson({}), describeSchema());
  const client = await db.pool.connect();
  try {
    await client.query('create schema declared; set search_path = declared, public');
    await client.query(statements.join(';').replaceAll('"public".', '"declared".'));
    const declared = await readCatalog(client, 'declared');
    await client.query('set search_path = public');
    const { ...migrated } = await readCatalog(client, 'public');
    for (const key of MIGRATION_ONLY) {
      expect(migrated).toHaveProperty([key]);
      delete migrated[key];
    }
    expect(migrated).toEqual(declared);
  } finally {
    await client.query('set search_path = public; drop schema if exists declared cascade');
    client.release();
  }
});

test('the index against overlapping assignments finds the points of a device without reading those of others', async () => {
  const { rows } = await db.pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'process_point_device_overlap'`,
  );
  // The planner prefers it to `process_point_device_by_device`, whatever the order of its columns.
  expect(rows[0]?.definition).toMatch(/\(organization WITH =, number WITH =, point WITH =, /);
});
