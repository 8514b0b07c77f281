import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { openTestDatabase } from '#server/testkit/database.ts';

/** Small tables that would be copied to every shard. Their schema files give the reasons. */
const referenceTables = ['app_user', 'creation_token', 'mail', 'organization', 'rate_limit', 'setting', 'sign_in'];

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

interface Key {
  readonly tableName: string;
  readonly keyName: string;
  readonly firstColumn: string;
}

/** Returns the primary keys, unique indexes, and foreign keys of our tables, each with its first column. */
async function readKeys(): Promise<Key[]> {
  const { rows } = await database.pool.query<Key>(`
    select rel.relname as "tableName", idx.relname as "keyName",
           coalesce(att.attname, '(expression)') as "firstColumn"
      from pg_index i
      join pg_class idx on idx.oid = i.indexrelid
      join pg_class rel on rel.oid = i.indrelid
      join pg_namespace ns on ns.oid = rel.relnamespace and ns.nspname = 'public'
      left join pg_attribute att on att.attrelid = rel.oid and att.attnum = i.indkey[0]
     where i.indisunique
    union all
    select rel.relname, con.conname, att.attname
      from pg_constraint con
      join pg_class rel on rel.oid = con.conrelid
      join pg_namespace ns on ns.oid = rel.relnamespace and ns.nspname = 'public'
      join pg_attribute att on att.attrelid = rel.oid and att.attnum = con.conkey[1]
     where con.contype = 'f'`);
  return rows;
}

describe('a schema that can be distributed by organization', () => {
  test('starts every key and unique index of a tenant table with the organization', async () => {
    const tenantKeys = (await readKeys()).filter(({ tableName }) => !referenceTables.includes(tableName));
    expect(tenantKeys.length).toBeGreaterThan(20);
    expect(tenantKeys.filter(({ firstColumn }) => firstColumn !== 'organization')).toEqual([]);
  });

  test('has only tenant tables and known reference tables', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      select relname as name from pg_class c join pg_namespace ns on ns.oid = c.relnamespace
       where ns.nspname = 'public' and c.relkind in ('r', 'p')
         and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization')
       order by 1`);
    expect(rows.map(({ name }) => name)).toEqual(referenceTables);
  });

  test('has a primary key in every tenant table', async () => {
    const { rows } = await database.pool.query<{ name: string }>(`
      select relname as name from pg_class c join pg_namespace ns on ns.oid = c.relnamespace
       where ns.nspname = 'public' and c.relkind in ('r', 'p')
         and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`);
    expect(rows).toEqual([]);
  });
});
