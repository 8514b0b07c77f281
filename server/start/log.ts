import process from 'node:process';

import { describeError } from '#server/base/describe-error.ts';
import { createLog, type Log } from '#server/base/log.ts';

/** Opens the log of a process, on its stderr. */
export const openLog = (): Log =>
  createLog(process.stderr.isTTY ? 'pretty' : 'json', (line) => void process.stderr.write(line));

/**
 * Logs a startup failure caused by a bug. Node would print the whole error, including the parameters of SQL
 * statements.
 */
export function logBug(log: Log, error: unknown): void {
  const stack =
    error instanceof Error
      ? error.stack
          ?.split('\n')
          .filter((line) => /^\s+at /.test(line))
          .join(' <')
      : '';
  log.error("The server couldn't start.", { error: describeError(error), stack });
}
