import { Code, ConnectError } from '@connectrpc/connect';

// The contract doesn't specify status codes, so these follow gRPC's own definitions. Users read the messages, so state
// the problem, its location, and the accepted values.

/** Creates the error for a request that is invalid in any state of the system. */
export const invalidArgument = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

/** Creates the error for a request that refers to something that doesn't exist or that the caller may not see. */
export const notFound = (message: string): ConnectError => new ConnectError(message, Code.NotFound);

/** Creates the error for a request to create something that already exists. */
export const alreadyExists = (message: string): ConnectError => new ConnectError(message, Code.AlreadyExists);

/** Creates the error for a valid request that the current state does not permit. */
export const failedPrecondition = (message: string): ConnectError => new ConnectError(message, Code.FailedPrecondition);

/** Lists items in a sentence: 'A', 'A and B', 'A, B, and 7 more'. Stays readable even for thousands of items. */
export function summarizeList(items: readonly (string | number | bigint)[], max = 5): string {
  const head = items.length > max ? items.slice(0, max - 1) : items.slice(0, -1);
  const tail = items.length > max ? `${items.length - head.length} more` : String(items.at(-1) ?? '');
  if (head.length === 0) return tail;
  return `${head.join(', ')}${head.length > 1 ? ',' : ''} and ${tail}`;
}

/** Names items that don't exist: `no device A`, `no devices A and B`. The plural form is `plural`. */
export function describeMissing(
  noun: string,
  items: readonly (string | number | bigint)[],
  plural = `${noun}s`,
): string {
  return `no ${items.length === 1 ? noun : plural} ${summarizeList(items)}`;
}
