import { CommandError } from '#commands/model/errors.ts';
import { message } from '#commands/text/message.ts';

// Parts of the console that could not be loaded: the server cannot be reached, or has a newer build.

/** The errors of failed imports, which differ from browser to browser. */
const failedImports = new WeakSet<object>();

/** Called with the error of every import that failed (`vite:preloadError`). */
export function noteFailedImport(error: object): void {
  failedImports.add(error);
}

export const NOT_LOADED = message('console:load.failed');

/** Thrown if a part of the console cannot be loaded: the server cannot be reached, or has a newer build. */
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
export async function importOrThrow<Value>(importing: Promise<Value>): Promise<Value> {
  try {
    return await importing;
  } catch (error) {
    throw new NotLoadedError(error);
  }
}

export function isNotLoaded(error: unknown): boolean {
  return error instanceof NotLoadedError || (typeof error === 'object' && error !== null && failedImports.has(error));
}
