import { Code, ConnectError } from '@connectrpc/connect';

// The contract states no status codes, so these follow gRPC's own definitions. People read the messages: name the
// problem, its place, and the accepted values.

/** Creates the error for a request that is invalid in any state of the system. */
export const invalidArgument = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

/** Creates the error for a request that names something missing or invisible to the caller. */
export const notFound = (message: string): ConnectError => new ConnectError(message, Code.NotFound);

/** Creates the error for a request to create something that already exists. */
export const alreadyExists = (message: string): ConnectError => new ConnectError(message, Code.AlreadyExists);

/** Creates the error for a valid request that the current state does not permit. */
export const failedPrecondition = (message: string): ConnectError => new ConnectError(message, Code.FailedPrecondition);

/** Lists items in a sentence: 'A', 'A and B', 'A, B and 7 more'. Readable even for thousands. */
export function summarizeList(items: readonly (string | number | bigint)[], max = 5): string {
  const head = items.length > max ? items.slice(0, max - 1) : items.slice(0, -1);
  const tail = items.length > max ? `${items.length - head.length} more` : String(items.at(-1) ?? '');
  return head.length === 0 ? tail : `${head.join(', ')} and ${tail}`;
}
