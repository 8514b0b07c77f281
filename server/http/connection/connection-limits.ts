/** Limits for connections, which apply even before a client has authenticated. */
export interface ConnectionLimits {
  /** The maximum number of open connections. The server refuses any others, and asks their clients to retry later. */
  readonly connections: number;
  /**
   * The maximum number of connections that are refused in their own protocol at a time. Others are closed immediately.
   */
  readonly refusals: number;
  /** The time limit for the bytes that distinguish HTTP/1.1 from HTTP/2, and for the first stream over HTTP/2. */
  readonly firstBytesMs: number;
  /** The time limit for an HTTP/1.1 request's headers. */
  readonly headersMs: number;
  /**
   * The time limit for a whole request of any kind. Call bodies have a shorter limit; a call that exceeds it fails with
   * a clear error.
   */
  readonly requestMs: number;
  /** The maximum time between requests. Clients keep connections for less, so they close them first. */
  readonly idleMs: number;
  /**
   * How long a client may stop reading a response before its connection is closed. Until then, the response stays in
   * memory.
   */
  readonly stalledMs: number;
  /** The interval between checks for slow HTTP/1.1 connections. */
  readonly sweepMs: number;
  /** The maximum size of all headers of a request. */
  readonly headerBytes: number;
  /** The maximum number of concurrent requests on an HTTP/2 connection. */
  readonly streams: number;
  /** The maximum number of unanswered requests on an HTTP/1.1 connection. One more closes it. */
  readonly pipelined: number;
}

export const defaultLimits: ConnectionLimits = {
  connections: 4000,
  refusals: 100,
  firstBytesMs: 10_000,
  headersMs: 15_000,
  requestMs: 150_000,
  idleMs: 75_000,
  stalledMs: 30_000,
  sweepMs: 5000,
  headerBytes: 16 * 1024,
  streams: 100,
  pipelined: 200,
};
