import { open, readFile, rename } from 'node:fs/promises';

import type { Sealer } from '#server/base/secrets.ts';

import type { EmulatorUser } from './emulator-api.ts';

export type Accounts = readonly EmulatorUser[];

/**
 * Stores the accounts of the embedded identity provider between runs. The file is encrypted because the emulator keeps
 * passwords in plaintext.
 */
export interface AccountsFile {
  /**
   * Loads the saved accounts. Returns an empty list if nothing has been saved yet.
   *
   * @throws if the file exists but can't be read
   */
  load(): Promise<Accounts>;
  /**
   * Replaces the whole file, and resolves once the new file is on disk, so a crash leaves either the old file or the
   * new one. Does nothing if nothing has changed since the last save.
   */
  save(accounts: Accounts): Promise<void>;
}

export function openAccountsFile(path: string, sealer: Sealer): AccountsFile {
  let lastText = '';
  return {
    async load() {
      let sealedText: string;
      try {
        sealedText = await readFile(path, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        throw error;
      }
      return JSON.parse(sealer.open(sealedText)) as Accounts;
    },
    async save(accounts) {
      const text = JSON.stringify(accounts);
      if (text === lastText) return;
      const file = await open(`${path}.new`, 'w', 0o600);
      try {
        await file.writeFile(sealer.seal(text));
        // Without the sync, a power failure after the rename could leave an empty file in place of all accounts.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
      lastText = text;
    },
  };
}
