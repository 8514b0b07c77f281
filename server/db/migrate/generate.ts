import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { migrationsFolder } from '#server/base/paths.ts';

import { partitionColumns, prologue } from './ddl.ts';

/**
 * `npm run db:generate`: writes the next migration from the schema. drizzle-kit doesn't support partitions or our
 * prologue, so this script adds both to the initial migration. `--initial` first squashes the history into one initial
 * migration. Use it only before a first release: existing databases must then be recreated.
 */
const { values } = parseArgs({ options: { initial: { type: 'boolean' }, name: { type: 'string' } } });
if (values.initial) rmSync(migrationsFolder, { recursive: true, force: true });
const file = join(migrationsFolder, '0000_initial.sql');
const name = existsSync(file) ? values.name : 'initial';
if (name === undefined) {
  console.error('Name the migration after what it adds: npm run db:generate -- --name named_location');
  process.exit(2);
}
execFileSync('npx', ['drizzle-kit', 'generate', '--name', name], { stdio: 'inherit' });
const migration = readFileSync(file, 'utf8');
if (!migration.includes('PARTITION BY')) writeFileSync(file, complete(migration));

function complete(sql: string): string {
  let result = sql;
  for (const [table, column] of Object.entries(partitionColumns)) {
    const definition = new RegExp(`(CREATE TABLE "${table}" \\([^;]*\\n\\));`);
    if (!definition.test(result)) throw new Error(`The migration doesn't create the table "${table}".`);
    result = result.replace(definition, `$1 PARTITION BY RANGE ("${column}");`);
  }
  return [...prologue.map((statement) => `${statement};`), result].join('\n--> statement-breakpoint\n');
}
