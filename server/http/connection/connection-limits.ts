/** Limits on a connection before anyone has signed in on it. */
export interface ConnectionLimits {
  /** The maximum number of open connections; further ones are refused with a request to retry later. */
  readonly connections: number;
  /** The number of connections over the limit that are refused in their protocol at once; the rest are cut. */
  readonly refusals: number;
  /** The time for the bytes that distinguish HTTP/1.1 from HTTP/2, and for the first stream over HTTP/2. */
  readonly firstBytesMs: number;
  /** The time for the headers of a request over HTTP/1.1. */
  readonly headersMs: number;
  /** The time for a whole request of any kind. The bodies of calls have less time, and end with a proper error. */
  readonly requestMs: number;
  /** The time without a request. Longer than clients keep a connection for reuse, so that they close it first. */
  readonly idleMs: number;
  /** The time that a client may stop reading a response, which stays in memory until then. */
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
