import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { DataFolderInUseError } from '#server/db/database.ts';

import { claim, empty, sealingKeyIn } from './data-folder.ts';

const folders = mkdtempSync(join(tmpdir(), 'quarterdeck-data-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

function folderWith(name: string, ...files: string[]): string {
  const folder = join(folders, name);
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), '');
  return folder;
}

describe('a data folder', () => {
  it('is created, and used by one process at a time', async () => {
    const folder = join(folders, 'new', 'deeper');
    const release = await claim(folder);
    await expect(claim(folder)).rejects.toThrow(DataFolderInUseError);
    await release();
    await (
      await claim(folder)
    )();
    await expect(claim(join(folderWith('file', 'taken'), 'taken'))).rejects.toThrow('cannot be used');
  });

  it('keeps one key, which only its owner can read', async () => {
    const folder = folderWith('keyed');
    const key = await sealingKeyIn(folder);
    expect(key).toHaveLength(32);
    expect(await sealingKeyIn(folder)).toEqual(key);
    expect(statSync(join(folder, 'sealing.key')).mode & 0o077).toBe(0);
  });

  it('gets its key on the next start after a full disk interrupted the first', async () => {
    const folder = folderWith('cut', 'sealing.key.new');
    expect(await sealingKeyIn(folder)).toHaveLength(32);
    expect(readdirSync(folder)).toEqual(['sealing.key']);
  });

  it('gets no new key if its key was lost or damaged, or if it contains files that are not ours', async () => {
    await expect(sealingKeyIn(folderWith('lost', 'database'))).rejects.toThrow('Restore the key');
    await expect(sealingKeyIn(folderWith('letters', 'dear-anna.txt'))).rejects.toThrow('dear-anna.txt');
    await expect(sealingKeyIn(folderWith('cut-short', 'sealing.key'))).rejects.toThrow('damaged');
  });

  it('is emptied only if it contains nothing but our files', async () => {
    const ownFolder = folderWith('ours', 'sealing.key', 'database', 'identity', 'server.lock');
    await empty(ownFolder);
    expect(readdirSync(ownFolder)).toEqual(['server.lock']);
    await empty(ownFolder);

    const mixed = folderWith('mixed', 'sealing.key', 'database', 'dear-anna.txt');
    await expect(empty(mixed)).rejects.toThrow('"dear-anna.txt", which is not');
    const unknown = folderWith('unknown', 'database');
    await expect(empty(unknown)).rejects.toThrow('does not look like');
    expect([readdirSync(mixed), readdirSync(unknown)]).toEqual([
      ['database', 'dear-anna.txt', 'sealing.key'],
      ['database'],
    ]);
  });
});
