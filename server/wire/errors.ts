import { Code, ConnectError } from '@connectrpc/connect';

// The contract states no status codes: these are what gRPC's own definitions ask for. The message is what a person
// reads, so it says what, where, and what would be right.

/** The request itself is wrong, whatever the state of the system. */
export const invalidArgument = (message: string): ConnectError => new ConnectError(message, Code.InvalidArgument);

/** Something that the request names does not exist, or not for this caller. */
export const notFound = (message: string): ConnectError => new ConnectError(message, Code.NotFound);

/** What the request would make is already there. */
export const alreadyExists = (message: string): ConnectError => new ConnectError(message, Code.AlreadyExists);

/** The request is fine, and cannot be done as things are now. */
export const failedPrecondition = (message: string): ConnectError => new ConnectError(message, Code.FailedPrecondition);

/** 'A', 'A and B', 'A, B and 7 more': a sentence must stay readable when thousands are wrong. */
export function some(items: readonly (string | number | bigint)[], most = 5): string {
  const shown = items.length > most ? items.slice(0, most - 1) : items.slice(0, -1);
  const last = items.length > most ? `${items.length - shown.length} more` : String(items.at(-1) ?? '');
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}
