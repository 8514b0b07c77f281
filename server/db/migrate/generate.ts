import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsFolder } from '#server/base/paths.ts';
import { partitioned, prologue } from './ddl.ts';

/**
 * `npm run db:generate`: writes the next migration from the schema. drizzle-kit knows neither partitions nor our
 * prologue, so both are put into the initial migration here. With `--initial` the history is squashed into one initial
 * migration first, which is only right before a first release: databases made before have to be made anew.
 */
if (process.argv.includes('--initial')) rmSync(migrationsFolder, { recursive: true, force: true });
const file = join(migrationsFolder, '0000_initial.sql');
execFileSync('npx', ['drizzle-kit', 'generate', ...(existsSync(file) ? [] : ['--name', 'initial'])], {
  stdio: 'inherit',
});
const written = readFileSync(file, 'utf8');
if (!written.includes('PARTITION BY')) writeFileSync(file, complete(written));

function complete(sql: string): string {
  let result = sql;
  for (const [table, column] of Object.entries(partitioned)) {
    const definition = new RegExp(`(CREATE TABLE "${table}" \\([^;]*\\n\\));`);
    if (!definition.test(result)) throw new Error(`The migration does not create the table "${table}".`);
    result = result.replace(definition, `$1 PARTITION BY RANGE ("${column}");`);
  }
  return [...prologue.map((statement) => `${statement};`), result].join('\n--> statement-breakpoint\n');
}
