import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { dataCreationEntry } from '#server/base/paths.ts';

import type { DataSettings } from './data.ts';
import { ExplainedError, type Explanation } from './explanation.ts';

/** The first and only message to the process. */
export interface Creation {
  readonly settings: DataSettings;
  /** The key in base64. */
  readonly sealingKey: string;
}

/** The response of the process; the explanation is undefined if the failure is a bug, which the process has logged. */
export type CreationResult = { readonly created: true } | { readonly failed: Explanation | undefined };

/**
 * Creates the embedded database in a new data folder and, for a demo, seeds it. Runs in a separate process: it takes
 * about 800 MB of memory, and the server process would retain 200 MB of that.
 *
 * @throws ExplainedError
 */
export async function createData(settings: DataSettings, sealingKey: Buffer): Promise<void> {
  if (settings.databaseUrl !== undefined || existsSync(join(settings.dataFolder, 'database'))) return;
  const child = fork(dataCreationEntry, {
    // In a bundle, the entry is JavaScript; in development, it is this TypeScript source, which needs a loader.
    execArgv: dataCreationEntry.endsWith('.ts') ? ['--import', 'tsx'] : [],
    serialization: 'advanced',
  });
  child.send({ settings, sealingKey: sealingKey.toString('base64') } satisfies Creation);
  let result: CreationResult | undefined;
  child.on('message', (message: CreationResult) => (result = message));
  const exitReason = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  if (result === undefined) throw new Error(`The process that creates the data ended with ${exitReason}.`);
  if ('created' in result) return;
  if (result.failed === undefined) throw new Error("The data couldn't be created.");
  throw new ExplainedError(result.failed);
}
