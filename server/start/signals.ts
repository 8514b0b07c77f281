import process from 'node:process';

/** Exit code of a process that Ctrl-C ended (128 + SIGINT). */
export const INTERRUPTED = 130;

/**
 * Settles at the first Ctrl-C or SIGTERM. A second one ends the process at once; the next start cleans up its leftovers
 * (a lock, a transaction).
 */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    let stopping = false;
    const stop = (): void => {
      if (stopping) process.exit(INTERRUPTED);
      stopping = true;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
