import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { DataFolderInUseError } from '#server/db/database.ts';

import { lockFile } from './lock-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarterdeck-'));
  path = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('rejects a lock held by a live process, and names the folder and the process', async () => {
  await lockFile(path, folder);
  const error = await lockFile(path, folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DataFolderInUseError);
  expect((error as Error).message).toContain(`${folder} is in use by process ${process.pid}`);
});

test.each([
  ['from a dead process', JSON.stringify({ pid: 2 ** 22 - 1, started: '1' })],
  ['from an earlier process with the same pid', JSON.stringify({ pid: process.pid, started: '1' })],
  ['truncated by a kill', '{"pid":'],
])('takes over a lock %s', async (_, stale) => {
  await writeFile(path, stale);
  await lockFile(path, folder);
  expect(await readdir(folder)).toEqual(['lock.1']);
  expect(JSON.parse(await readFile(`${path}.1`, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('lets only one of several concurrent callers take over a stale lock', async () => {
  for (let round = 0; round < 40; round += 1) {
    const stale = join(folder, `round-${round}`);
    await writeFile(stale, '{"pid":');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFile(stale, folder)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
});

test('acquires a released lock again and leaves one empty file', async () => {
  for (let round = 0; round < 3; round += 1) await (await lockFile(path, folder))();
  expect(await readdir(folder)).toEqual(['lock.2']);
  expect(await readFile(`${path}.2`, 'utf8')).toBe('');
});

test('releases a lock even if its folder has been deleted', async () => {
  const release = await lockFile(path, folder);
  await rm(folder, { recursive: true });
  await expect(release()).resolves.toBeUndefined();
});

test('leaves no file behind when the disk is full', async () => {
  const module = new URL('./lock-file.ts', import.meta.url).href;
  const script = `await import(${JSON.stringify(module)}).then(({ lockFile }) => lockFile(...process.argv.slice(1)))`;
  const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script, path, folder];
  // `ulimit -f 0` forbids writing to files. Node ignores SIGXFSZ, so the write fails with an error, as on a full disk.
  const result = spawnSync('sh', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...node], {
    encoding: 'utf8',
    env: { ...process.env, TSX_DISABLE_CACHE: '1' },
  });
  expect(result.stderr).toContain('EFBIG');
  expect(await readdir(folder)).toEqual([]);
});
