import { open, readFile, rename } from 'node:fs/promises';
import type { Sealer } from '#server/base/secrets.ts';
import type { EmulatorUser } from './emulator-api.ts';

export type Accounts = readonly EmulatorUser[];

/**
 * The accounts of the embedded identity provider between two runs. Sealed, because the emulator keeps passwords
 * as they were typed.
 */
export interface AccountsFile {
  /** @returns no accounts when nothing was saved yet; @throws when the file cannot be read back */
  load(): Promise<Accounts>;
  /**
   * Replaces the file as a whole, and resolves when that is on disk: a crash leaves the old one or the new one. Does
   * nothing when nothing has changed since the last time.
   */
  save(accounts: Accounts): Promise<void>;
}

export function accountsFile(path: string, sealer: Sealer): AccountsFile {
  let saved = '';
  return {
    async load() {
      let sealed: string;
      try {
        sealed = await readFile(path, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        throw error;
      }
      return JSON.parse(sealer.open(sealed)) as Accounts;
    },
    async save(accounts) {
      const text = JSON.stringify(accounts);
      if (text === saved) return;
      const file = await open(`${path}.new`, 'w', 0o600);
      try {
        await file.writeFile(sealer.seal(text));
        // Renamed before its content is on disk, a power failure could leave an empty file in place of all accounts.
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
      saved = text;
    },
  };
}
