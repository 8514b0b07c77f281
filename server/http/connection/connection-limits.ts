/** What a connection may cost before anybody is signed in on it. */
export interface ConnectionLimits {
  /** Open at once; one more is told to come back later. */
  readonly connections: number;
  /** Connections beyond that which get to hear so at the same time; the rest are cut. */
  readonly refusals: number;
  /** For the bytes that tell HTTP/1.1 from HTTP/2, and for the first stream of an HTTP/2 connection. */
  readonly firstBytesMs: number;
  /** For the headers of a request over HTTP/1.1. */
  readonly headersMs: number;
  /** For a whole request, whatever it is for. The bodies of calls have less time, and end with a proper refusal. */
  readonly requestMs: number;
  /** Without a request. Longer than clients keep a connection for reuse: they should be the first to close it. */
  readonly idleMs: number;
  /** For an answer of which the client takes nothing more, and so keeps it in memory. */
  readonly stalledMs: number;
  /** How often connections are looked at that dawdle over HTTP/1.1. */
  readonly sweepMs: number;
  /** Of all headers of a request together. */
  readonly headerBytes: number;
  /** Requests at the same time on one HTTP/2 connection. */
  readonly streams: number;
  /** Requests on one HTTP/1.1 connection that are not answered yet; one more ends it. */
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
