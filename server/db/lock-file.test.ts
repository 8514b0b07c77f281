import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUse } from './database.ts';
import { lockFile } from './lock-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a lock whose owner lives is refused, naming the folder and the process', async () => {
  await lockFile(path, folder);
  const refusal = await lockFile(path, folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataFolderInUse);
  expect((refusal as Error).message).toContain(`${folder} is in use by process ${process.pid}`);
});

test.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 - 1, started: '1' })],
  ['of an earlier process with a pid used again', JSON.stringify({ pid: process.pid, started: '1' })],
  ['cut short by a kill', '{"pid":'],
])('a lock %s is taken over', async (_, stale) => {
  await writeFile(path, stale);
  await lockFile(path, folder);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('of several that find a stale lock, one gets it', async () => {
  await writeFile(path, '{"pid":');
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => lockFile(path, folder)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('giving it back removes the file', async () => {
  const release = await lockFile(path, folder);
  await release();
  await expect(access(path)).rejects.toMatchObject({ code: 'ENOENT' });
});
