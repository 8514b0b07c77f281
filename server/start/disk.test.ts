import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { explained } from './failures.ts';
import { refused, start } from '#server/testkit/start.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-disk-'));
const mount = (...options: string[]): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder]).status === 0;
/** A small disk of its own takes root. Elsewhere a folder without the right to write stands in for it. */
const small = mount('size=4k');
afterAll(() => {
  if (small) spawnSync('umount', ['-l', folder]);
  else chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const argv = ['--port', '0', '--data', join(folder, 'data'), '--devices', '20', '--rate', '0'];

async function startsAndStops(): Promise<number | null> {
  const server = start(argv);
  const ended = server.ended.then(() => true);
  while (!server.out().includes('Ctrl-C')) if (await Promise.race([ended, setTimeout(200, false)])) break;
  server.signal('SIGINT');
  return server.ended;
}

describe('a start whose disk refuses', () => {
  it.runIf(small)(
    'says that it is full, wherever that happens, and the next one with room starts',
    async () => {
      const full = expect.stringMatching(/ENOSPC.*Make room.*\n?$/);
      // For the key; for making the database; for filling it with the demo.
      expect(await refused(argv)).toEqual([5, full]);
      mount('remount', 'size=1m');
      expect(await refused(argv)).toEqual([5, full]);
      mount('remount', 'size=45m');
      expect(await refused(argv)).toEqual([6, expect.stringMatching(/^The database cannot be used.*disk.*is full/)]);
      mount('remount', 'ro');
      expect(await refused(argv)).toEqual([5, expect.stringMatching(/EROFS.*read-only/)]);
      mount('remount', 'rw', 'size=400m');
      expect(await startsAndStops()).toBe(0);
    },
    600_000,
  );

  it.runIf(!small)(
    'says that it may not write, and the next one that may starts',
    async () => {
      chmodSync(folder, 0o500);
      expect(await refused(argv)).toEqual([5, expect.stringContaining('EACCES')]);
      chmodSync(folder, 0o700);
      expect(readdirSync(folder)).toEqual([]);
      expect(await startsAndStops()).toBe(0);
    },
    600_000,
  );

  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO'])('explains %s of any file in a sentence', (code) => {
    const error = Object.assign(new Error(`${code}: no`), { code, path: '/data/quarterdeck.lock' });
    const known = explained(new Error('outer', { cause: error }));
    expect(known?.exitCode).toBe(5);
    expect(known?.sentence).toMatch(
      new RegExp(`^The data folder cannot be used \\(${code} /data/quarterdeck.lock\\): .*\\.$`),
    );
  });
});
