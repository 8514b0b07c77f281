import { DatabaseUnavailable, DataFolderCorrupt, DataFolderInUse } from '../db/database.ts';
import { CannotListen } from '../http/listener.ts';
import { IdentityProviderFailed } from '../identity/provider.ts';
import { UsageError } from '../options.mjs';
import { UnsealError } from '../secrets.ts';
import { DataFolderRefused } from './data-folder.ts';
import { OtherSealingKey } from './sealing-check.ts';

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
  return found && error instanceof Error ? { sentence: error.message, exitCode: found[1] } : undefined;
}
