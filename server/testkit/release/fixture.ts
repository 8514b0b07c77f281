// The fixture of the last release: the contents of its database, and its migrations. capture.ts writes both.
//
// The first one is of commit 90080a82f, which had no capture.ts: this folder was copied into a clone of it, and
// the option `secrets` of startTestServer was added there. Read it with `zcat database.jsonl.gz`.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { migrationsFolder } from '#server/base/paths.ts';
import type { Database } from '#server/db/database.ts';

export const databaseFile = new URL('database.jsonl.gz', import.meta.url);
export const migrationsFile = new URL('migrations.json', import.meta.url);
/** Protects nothing: the fixture has only fictional secrets. */
export const sealingKey = Buffer.alloc(32, 7);

export type Row = Readonly<Record<string, unknown>>;

export interface Table {
  readonly name: string;
  /** Sorted, with all columns, as JSON. */
  readonly rows: readonly Row[];
}

export interface Partition {
  readonly name: string;
  readonly table: string;
  readonly bound: string;
}

export interface Contents {
  readonly tables: readonly Table[];
  /** The last values of the sequences; null for an unused one. */
  readonly sequences: Readonly<Record<string, number | null>>;
  readonly partitions: readonly Partition[];
}

/** Reads all tables of the database. Partitions are part of their tables. */
export async function readDatabase({ pool }: Database): Promise<Contents> {
  const { rows: names } = await pool.query<{ name: string }>(`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`);
  const tables: Table[] = [];
  for (const { name } of names) {
    const { rows } = await pool.query<{ row: Row }>(`select to_jsonb(t) as row from "${name}" t order by 1`);
    tables.push({ name, rows: rows.map(({ row }) => row) });
  }
  const { rows: sequences } = await pool.query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' order by 1`,
  );
  const { rows: partitions } = await pool.query<Partition>(`
    select relname as name, inhparent::regclass::text as "table", pg_get_expr(relpartbound, oid) as bound
      from pg_inherits join pg_class on oid = inhrelid where relkind = 'r' order by 1`);
  return {
    tables,
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value === null ? null : Number(value)])),
    partitions,
  };
}

/** A fixture, which capture.ts writes line by line. */
export interface Release {
  readonly migration: string;
  readonly time: Date;
  readonly contents: Contents;
}

interface Head extends Omit<Contents, 'tables'> {
  readonly migration: string;
  readonly time: string;
}

/** The start of a table, or the values of its next row. */
type Line = { readonly table: string; readonly columns: readonly string[] } | readonly unknown[];

export async function readRelease(): Promise<Release> {
  const [head = '', ...lines] = gunzipSync(await readFile(databaseFile))
    .toString()
    .trimEnd()
    .split('\n');
  const { migration, time, sequences, partitions } = JSON.parse(head) as Head;
  const tables: { name: string; rows: Row[] }[] = [];
  let columns: readonly string[] = [];
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    if ('table' in line) {
      ({ columns } = line);
      tables.push({ name: line.table, rows: [] });
    } else {
      tables.at(-1)?.rows.push(Object.fromEntries(columns.map((column, index) => [column, line[index]])));
    }
  }
  return { migration, time: new Date(time), contents: { tables, sequences, partitions } };
}

/** Fills an empty database of that release. */
export async function loadRelease({ pool }: Database, { contents }: Release): Promise<void> {
  const { tables, sequences, partitions } = contents;
  for (const { name, table, bound } of partitions)
    await pool.query(`create table "${name}" partition of "${table}" ${bound}`);
  const { rows: columns } = await pool.query<{ table: string; column: string }>(`
    select table_name as "table", column_name as "column" from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' order by ordinal_position`);
  const client = await pool.connect();
  try {
    // The rows are complete and in no particular order, so neither foreign keys nor triggers apply.
    await client.query(`set session_replication_role = replica`);
    for (const { name, rows } of tables) {
      const list = columns.filter(({ table }) => table === name).map(({ column }) => `"${column}"`);
      await client.query(
        `insert into "${name}" (${list.join(', ')}) overriding system value
         select ${list.join(', ')} from jsonb_populate_recordset(null::"${name}", $1)`,
        [JSON.stringify(rows)],
      );
    }
    for (const [name, value] of Object.entries(sequences))
      if (value !== null) await client.query('select setval($1::regclass, $2)', [name, value]);
    await client.query(`set session_replication_role = default`);
  } finally {
    client.release();
  }
}

/** The identity of a migration. */
export interface Migration {
  readonly name: string;
  /** A database remembers the migrations that it has applied by this time. */
  readonly when: number;
  readonly sha256: string;
}

/** Reads the migrations of this commit, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const journal = JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string; readonly when: number }[];
  };
  return Promise.all(
    journal.entries.map(async ({ tag, when }) => {
      const content = await readFile(join(migrationsFolder, `${tag}.sql`));
      return { name: tag, when, sha256: createHash('sha256').update(content).digest('hex') };
    }),
  );
}
