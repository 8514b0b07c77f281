// Databases have already run the migrations of a release, so a change of one would never reach them.
import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { type Migration, migrationsFile, readMigrations, readRelease } from '#server/testkit/release/fixture.ts';

const readReleasedMigrations = async () => JSON.parse(await readFile(migrationsFile, 'utf8')) as Migration[];

const REMEDY =
  "Databases of the last release have run this migration, and won't run it again. Restore it, and add a new migration " +
  'with `npm run db:generate` instead.';

test('migrations of the last release are unchanged', async () => {
  const migrations = await readMigrations();
  const released = await readReleasedMigrations();
  expect(released.at(-1)?.name).toBe((await readRelease()).migration);
  for (const [index, migration] of released.entries())
    expect(migrations[index], `${migration.name}.sql: ${REMEDY}`).toEqual(migration);
});

test('migrations are in the order of their times, because a database skips those before its latest', async () => {
  const times = (await readMigrations()).map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
});
