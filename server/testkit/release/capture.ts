/**
 * `npm run db:release`: writes the fixture of a release (fixture.ts), its database with rows in every table, and the
 * list of its migrations. Run it in the commit of the release, after `npm run proto:release`, and commit both files.
 */
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import { silentLog } from '#server/base/log.ts';
import { createSealer } from '#server/base/secrets.ts';
import { sealSecureNotes } from '#server/start/sealing/seal-secure-notes.ts';
import { sealStoredHeaders } from '#server/start/sealing/seal-stored-headers.ts';
import { checkSealingKey } from '#server/start/sealing/sealing-check.ts';

import { startTestServer } from '../server.ts';
import { fillDatabase } from './fill.ts';
import { databaseFile, migrationsFile, readDatabase, readMigrations, sealingKey } from './fixture.ts';

const t = await startTestServer({ devices: 20, secrets: createSealer(sealingKey) });
const { db, secrets } = t.app;
await checkSealingKey(db, secrets);
await sealStoredHeaders(db, secrets, silentLog);
await sealSecureNotes(db, secrets);
await fillDatabase(t);
const { tables, sequences, partitions } = await readDatabase(db);
const emptyTables = tables.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
if (emptyTables.length > 0) throw new Error(`Fill these tables in fill.ts: ${emptyTables.join(', ')}.`);
const migrations = await readMigrations();
const about = {
  about: [
    "A release's database, as server/testkit/release/capture.ts wrote it from the demo's people, devices and events.",
    'To refresh it, run `npm run db:release` in the commit of the next release, after `npm run proto:release`.',
  ],
  migration: migrations.at(-1)?.name,
  time: new Date(),
  sequences,
  partitions,
};
const lines = tables.flatMap(({ name, rows }) => {
  const columns = Object.keys(rows[0] ?? {});
  return [{ table: name, columns }, ...rows.map((row) => columns.map((column) => row[column]))];
});
const text = [about, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
await writeFile(databaseFile, gzipSync(text, { level: 9 }));
await writeFile(migrationsFile, `${JSON.stringify(migrations, undefined, 2)}\n`);
// The workers' timers would keep this process alive.
process.exit();
