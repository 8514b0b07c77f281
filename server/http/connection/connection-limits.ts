/** Limits for connections, which apply even before a client has authenticated. */
export interface ConnectionLimits {
  /** The maximum number of open connections; further ones are refused with a request to retry later. */
  readonly connections: number;
  /** The maximum number of connections that are being refused in their own protocol; any more are closed at once. */
  readonly refusals: number;
  /** The time limit for the bytes that distinguish HTTP/1.1 from HTTP/2, and for the first stream over HTTP/2. */
  readonly firstBytesMs: number;
  /** The time limit for the headers of an HTTP/1.1 request. */
  readonly headersMs: number;
  /**
   * The time limit for a whole request of any kind. Bodies of calls have a shorter one, and fail with a proper error.
   */
  readonly requestMs: number;
  /** The maximum time between requests. Longer than clients keep a connection for reuse, so they close it first. */
  readonly idleMs: number;
  /** The maximum time that a client may stop reading a response, which stays in memory meanwhile. */
  readonly stalledMs: number;
  /** The interval between checks for slow HTTP/1.1 connections. */
  readonly sweepMs: number;
  /** The maximum size of all headers of a request. */
  readonly headerBytes: number;
  /** The maximum number of concurrent requests on an HTTP/2 connection. */
  readonly streams: number;
  /** The maximum number of unanswered requests on an HTTP/1.1 connection; a further request ends it. */
  readonly pipelined: number;
}

export const defaultLimits: ConnectionLimits = {
  connections: 4_000,
  refusals: 100,
  firstBytesMs: 10_000,
  headersMs: 15_000,
  requestMs: 150_000,
  idleMs: 75_000,
  stalledMs: 30_000,
  sweepMs: 5_000,
  headerBytes: 16 * 1024,
  streams: 100,
  pipelined: 200,
};
