import process from 'node:process';

/** Exit code of a process that Ctrl-C ended (128 + SIGINT). */
export const INTERRUPTED = 130;

/**
 * Settles at the first Ctrl-C or SIGTERM. A second one does not wait: it ends the process, and what that leaves behind
 * (a lock, a transaction) is dealt with at the next start.
 */
export function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(INTERRUPTED);
      asked = true;
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}
