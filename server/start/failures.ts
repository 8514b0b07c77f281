import { listCauses, describeError } from '#server/base/describe-error.ts';
import { UsageError } from '#server/base/options.mjs';
import { UnsealError } from '#server/base/secrets.ts';
import { databaseCondition } from '#server/db/conditions.ts';
import { DatabaseUnavailableError, DataFolderCorruptError, DataFolderInUseError } from '#server/db/database.ts';
import { IdentityProviderError } from '#server/demo/identity/provider.ts';
import { ListenError } from '#server/http/connection/listener.ts';

import { DataFolderError } from './data-folder.ts';
import { ExplainedError, type Explanation } from './explanation.ts';
import { SealingKeyError } from './sealing/sealing-check.ts';

/** The exit code for each class of startup failure. The first matching class applies. */
const exitCodes: readonly (readonly [new (...args: never[]) => Error, number])[] = [
  [UsageError, 2],
  [ListenError, 3],
  [DataFolderInUseError, 4],
  [DataFolderCorruptError, 5],
  [DataFolderError, 5],
  [DatabaseUnavailableError, 6],
  [SealingKeyError, 7],
  [UnsealError, 7],
  [IdentityProviderError, 8],
];

/**
 * Explains a startup failure that the operator of the server can fix, and returns its exit code.
 *
 * @returns undefined for any other error
 */
export function explainFailure(error: unknown): Explanation | undefined {
  if (error instanceof ExplainedError) return error.explanation;
  const match = exitCodes.find(([kind]) => error instanceof kind);
  if (match && error instanceof Error) return { message: error.message, exitCode: match[1] };
  return explainDisk(error) ?? explainDatabase(error);
}

const DATA_FOLDER_FAILED = 5;
const DATABASE_FAILED = 6;

const DISK_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space',
  EDQUOT: 'its quota is used up. Free some space',
  EROFS: 'the disk is read-only. Make it writable',
  EACCES: "this account doesn't have permission. Grant it access",
  EPERM: "this account doesn't have permission. Grant it access",
  EIO: 'the disk is failing. Replace it',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n)',
};

/** Explains a disk error on any file in the data folder. */
function explainDisk(error: unknown): Explanation | undefined {
  const diskError = listCauses(error).find((item) => codeOf(item) in DISK_PROBLEMS);
  if (diskError === undefined) return undefined;
  const code = codeOf(diskError);
  const path = diskError instanceof Error && 'path' in diskError ? ` ${String(diskError.path)}` : '';
  return {
    message: `The data folder can't be used (${code}${path}): ${DISK_PROBLEMS[code]}, or choose another folder with --data, and start again.`,
    exitCode: DATA_FOLDER_FAILED,
  };
}

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '');

/** Explains a failure after the database has opened, such as a shutdown, or a full disk during seeding. */
function explainDatabase(error: unknown): Explanation | undefined {
  const condition = databaseCondition(error);
  if (condition === undefined) return undefined;
  const innermost = listCauses(error).at(-1);
  return {
    message: `The database can't be used. ${condition.message} (${describeError(innermost)}). The next start will resume where this one stopped.`,
    exitCode: DATABASE_FAILED,
  };
}
