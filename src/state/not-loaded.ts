import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';

/** The errors from failed imports. They are recorded here because their type differs between browsers. */
const failedImports = new WeakSet<object>();

/** Called with the error of every import that failed (`vite:preloadError`). */
export function recordFailedImport(error: object): void {
  failedImports.add(error);
}

export const NOT_LOADED = message('console:load.failed');

/** Thrown if a part of the console cannot be loaded, because the server is unreachable or has a newer build. */
export class NotLoadedError extends CommandError {
  constructor(cause: unknown) {
    super(NOT_LOADED);
    this.cause = cause;
  }
}

/**
 * Waits for a dynamic import.
 *
 * @throws NotLoadedError if the import fails
 */
export async function importOrThrow<Value>(pendingImport: Promise<Value>): Promise<Value> {
  try {
    return await pendingImport;
  } catch (error) {
    throw new NotLoadedError(error);
  }
}

export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoadedError || (typeof error === 'object' && error !== null && failedImports.has(error));
}
