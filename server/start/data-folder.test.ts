import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { DataFolderInUseError } from '#server/db/database.ts';

import { claimDataFolder, clearDataFolder, loadSealingKey } from './data-folder.ts';

const parentFolder = mkdtempSync(join(tmpdir(), 'quarterdeck-data-'));
afterAll(() => rmSync(parentFolder, { recursive: true, force: true }));

function createFolder(name: string, ...files: string[]): string {
  const folder = join(parentFolder, name);
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), '');
  return folder;
}

describe('a data folder', () => {
  test('is created, and used by one process at a time', async () => {
    const folder = join(parentFolder, 'new', 'deeper');
    const release = await claimDataFolder(folder);
    await expect(claimDataFolder(folder)).rejects.toThrow(DataFolderInUseError);
    await release();
    await (
      await claimDataFolder(folder)
    )();
    await expect(claimDataFolder(join(createFolder('file', 'taken'), 'taken'))).rejects.toThrow("can't be used");
  });

  test('keeps one key that only its owner can read', async () => {
    const folder = createFolder('keyed');
    const key = await loadSealingKey(folder);
    expect(key).toHaveLength(32);
    expect(await loadSealingKey(folder)).toEqual(key);
    expect(statSync(join(folder, 'sealing.key')).mode & 0o077).toBe(0);
  });

  test('gets its key on the next startup after a full disk interrupted the first', async () => {
    const folder = createFolder('cut', 'sealing.key.new');
    expect(await loadSealingKey(folder)).toHaveLength(32);
    expect(readdirSync(folder)).toEqual(['sealing.key']);
  });

  test('gets no new key if its key is damaged or the folder contains foreign files', async () => {
    await expect(loadSealingKey(createFolder('lost', 'database'))).rejects.toThrow('Restore the key');
    await expect(loadSealingKey(createFolder('letters', 'dear-anna.txt'))).rejects.toThrow('dear-anna.txt');
    await expect(loadSealingKey(createFolder('cut-short', 'sealing.key'))).rejects.toThrow('damaged');
  });

  test('is emptied only if it contains nothing but our files', async () => {
    const ownFolder = createFolder('ours', 'sealing.key', 'database', 'identity', 'server.lock');
    await clearDataFolder(ownFolder);
    expect(readdirSync(ownFolder)).toEqual(['server.lock']);
    await clearDataFolder(ownFolder);

    const mixedFolder = createFolder('mixed', 'sealing.key', 'database', 'dear-anna.txt');
    await expect(clearDataFolder(mixedFolder)).rejects.toThrow('"dear-anna.txt", which doesn\'t');
    const unknown = createFolder('unknown', 'database');
    await expect(clearDataFolder(unknown)).rejects.toThrow("doesn't look like");
    expect([readdirSync(mixedFolder), readdirSync(unknown)]).toEqual([
      ['database', 'dear-anna.txt', 'sealing.key'],
      ['database'],
    ]);
  });
});
