import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Sealer } from '../secrets.ts';
import type { EmulatorUser } from './embedded/emulator-api.ts';

export type Accounts = readonly EmulatorUser[];

/**
 * The accounts of the embedded identity provider between two runs. Sealed, because the emulator keeps passwords
 * as they were typed.
 */
export interface AccountsFile {
  /** @returns no accounts when nothing was saved yet; @throws when the file cannot be read back */
  load(): Promise<Accounts>;
  /** Replaces the file as a whole, so that a crash leaves the old one or the new one. */
  save(accounts: Accounts): Promise<void>;
}

export function accountsFile(path: string, sealer: Sealer): AccountsFile {
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
      await writeFile(`${path}.new`, sealer.seal(JSON.stringify(accounts)), { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}
