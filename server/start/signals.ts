import process from 'node:process';

/** The exit code of a process ended by Ctrl-C (128 + SIGINT). */
export const INTERRUPTED = 130;

/**
 * Resolves on the first Ctrl-C or SIGTERM. A second signal ends the process immediately. The next startup then cleans
 * up the leftover lock and transaction.
 */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(INTERRUPTED);
      isStopping = true;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
