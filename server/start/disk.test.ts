import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { afterAll, describe, expect, test } from 'vitest';

import { failToStart, start } from '#server/testkit/start.ts';

import { explainFailure } from './failures.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-disk-'));
const mount = (...options: string[]): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder]).status === 0;
/** True if a small disk could be mounted, which requires root. Otherwise, the tests use a read-only folder. */
const hasSmallDisk = mount('size=4k');
afterAll(() => {
  if (hasSmallDisk) spawnSync('umount', ['-l', folder]);
  else chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const argv = ['--port', '0', '--data', join(folder, 'data'), '--devices', '20', '--rate', '0'];

async function startAndStop(): Promise<number | null> {
  const server = start(argv);
  const exited = server.exited.then(() => true);
  while (!server.output().includes('Ctrl-C')) if (await Promise.race([exited, setTimeout(200, false)])) break;
  server.signal('SIGINT');
  return server.exited;
}

describe('starting on a disk that rejects writes', () => {
  test.runIf(hasSmallDisk)(
    'reports a full disk, and starts once there is room',
    async () => {
      const diskFullError = expect.stringMatching(/ENOSPC.*Free some space.*\n?$/);
      // Out of space for the key, then for creating the database, then for seeding the demo.
      expect(await failToStart(argv)).toEqual([5, diskFullError]);
      mount('remount', 'size=1m');
      expect(await failToStart(argv)).toEqual([5, diskFullError]);
      mount('remount', 'size=45m');
      const [exitCode, output] = await failToStart(argv);
      expect(exitCode).toBe(6);
      expect(output).toMatch(/ … failed\nThe database can't be used.*disk.*is full/);
      mount('remount', 'ro');
      expect(await failToStart(argv)).toEqual([5, expect.stringMatching(/EROFS.*read-only/)]);
      mount('remount', 'rw', 'size=400m');
      expect(await startAndStop()).toBe(0);
    },
    600_000,
  );

  test.runIf(!hasSmallDisk)(
    'reports missing permission, and starts once it is granted',
    async () => {
      chmodSync(folder, 0o500);
      expect(await failToStart(argv)).toEqual([5, expect.stringContaining('EACCES')]);
      chmodSync(folder, 0o700);
      expect(readdirSync(folder)).toEqual([]);
      expect(await startAndStop()).toBe(0);
    },
    600_000,
  );

  test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])('explains %s', (code) => {
    const error = Object.assign(new Error(`${code}: no`), { code, path: '/data/quarterdeck.lock' });
    const explanation = explainFailure(new Error('outer', { cause: error }));
    expect(explanation?.exitCode).toBe(5);
    expect(explanation?.message).toMatch(
      new RegExp(`^The data folder can't be used \\(${code} /data/quarterdeck.lock\\): .*\\.$`),
    );
  });
});
