import { databaseCondition } from '#server/db/conditions.ts';
import { DatabaseUnavailable, DataFolderCorrupt, DataFolderInUse } from '#server/db/database.ts';
import { CannotListen } from '#server/http/connection/listener.ts';
import { IdentityProviderFailed } from '#server/demo/identity/provider.ts';
import { causesOf, loggable } from '#server/base/loggable.ts';
import { UsageError } from '#server/base/options.mjs';
import { UnsealError } from '#server/base/secrets.ts';
import { DataFolderRefused } from './data-folder.ts';
import { OtherSealingKey } from './sealing/sealing-check.ts';

/** Why a start failed, for whoever or whatever started it. The first class that matches counts. */
const exitCodes: readonly (readonly [new (...args: never[]) => Error, number])[] = [
  [UsageError, 2],
  [CannotListen, 3],
  [DataFolderInUse, 4],
  [DataFolderCorrupt, 5],
  [DataFolderRefused, 5],
  [DatabaseUnavailable, 6],
  [OtherSealingKey, 7],
  [UnsealError, 7],
  [IdentityProviderFailed, 8],
];

/** A start that failed for a reason that a person can act on: one sentence, and an exit code per kind of reason. */
export function explained(error: unknown): { sentence: string; exitCode: number } | undefined {
  const found = exitCodes.find(([kind]) => error instanceof kind);
  if (found && error instanceof Error) return { sentence: error.message, exitCode: found[1] };
  return ofDisk(error) ?? ofDatabase(error);
}

const DATA_FOLDER_FAILED = 5;
const DATABASE_FAILED = 6;

const disks: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Make room on it',
  EDQUOT: 'its quota is used up. Make room in it',
  EROFS: 'the disk is read-only. Make it writable',
  EACCES: 'this account may not. Give it the right to',
  EPERM: 'this account may not. Give it the right to',
  EIO: 'the disk fails. Replace it',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n)',
};

/** Whatever file of the data folder it was: the lock, the key, the accounts, the database. */
function ofDisk(error: unknown): { sentence: string; exitCode: number } | undefined {
  const failed = causesOf(error).find((item) => codeOf(item) in disks);
  if (failed === undefined) return undefined;
  const code = codeOf(failed);
  const path = failed instanceof Error && 'path' in failed ? ` ${String(failed.path)}` : '';
  return {
    sentence: `The data folder cannot be used (${code}${path}): ${disks[code]}, or choose another folder with --data, and start again.`,
    exitCode: DATA_FOLDER_FAILED,
  };
}

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '');

/** The database was there and then could not go on: its disk filled up while it was seeded, or it was shut down. */
function ofDatabase(error: unknown): { sentence: string; exitCode: number } | undefined {
  const condition = databaseCondition(error);
  if (condition === undefined) return undefined;
  const innermost = causesOf(error).at(-1);
  return {
    sentence: `The database cannot be used. ${condition.sentence} (${loggable(innermost)}). What was begun is finished by the next start.`,
    exitCode: DATABASE_FAILED,
  };
}
