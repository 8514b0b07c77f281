import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DataFolderCorruptError, DataFolderInUseError, DatabaseUnavailableError } from '#server/db/database.ts';

import { openDatabase } from './open.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test('keeps the data across a restart', async () => {
  const first = await openDatabase({ folder });
  await first.pool.query('create table kept (value int)');
  await first.pool.query('insert into kept values ($1)', [42]);
  await first.close();

  const second = await openDatabase({ folder });
  expect((await second.pool.query('select value from kept')).rows).toEqual([{ value: 42 }]);
  await second.close();
});

test('refuses to open a folder a second time, and the first database keeps working', async () => {
  const first = await openDatabase({ folder });
  await expect(openDatabase({ folder })).rejects.toThrow(DataFolderInUseError);
  await expect(openDatabase({ folder })).rejects.toThrow(`in use by process ${process.pid}`);
  expect((await first.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await first.close();
});

test.each([
  ['contains something else', { 'notes.txt': 'mine' }],
  ['is from another PostgreSQL version', { PG_VERSION: '15\n' }],
  ['has no control file', { PG_VERSION: '18\n', 'base/1/1': '' }],
])('rejects a folder that %s, and leaves it unchanged', async (_, files) => {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'database', name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content);
  }
  await expect(openDatabase({ folder })).rejects.toThrow(DataFolderCorruptError);
  for (const [name, content] of Object.entries(files)) {
    expect(await readFile(join(folder, 'database', name), 'utf8')).toBe(content);
  }
});

test('starts over after a first start that was killed halfway', async () => {
  await mkdir(join(folder, 'database.initializing'));
  await writeFile(join(folder, 'database.initializing', 'PG_VERSION'), '18\n');
  const database = await openDatabase({ folder });
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('reports a PostgreSQL URL without a host', async () => {
  vi.stubEnv('PGPORT', '1');
  vi.stubEnv('PGHOST', '127.0.0.1');
  await expect(openDatabase({ url: 'postgres://' })).rejects.toThrow("PostgreSQL at that address can't be reached (");
});

test('omits the password from the error for an unreachable PostgreSQL', async () => {
  const attempt = openDatabase({ url: 'postgres://someone:secret@127.0.0.1:1/fleet' });
  await expect(attempt).rejects.toThrow(DatabaseUnavailableError);
  await expect(attempt).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1\/fleet can't be reached \((?!.*secret)/);
});
