import { Agent, request } from 'undici';

import { type AddressPolicy, AddressDeniedError, assertAllowed, guardedLookup } from './addresses.ts';
import type { Resolve } from './resolve-host.ts';

/** A complete HTTP call. */
export interface Call {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

export interface Outcome {
  readonly successful: boolean;
  /** The HTTP status; absent if there was no response. */
  readonly status?: number;
  /** The reason for a failure in one sentence; empty on success. Contains nothing from the receiver's response. */
  readonly error: string;
  /** The beginning of the response to a failed call; it may quote the request. */
  readonly response?: string;
  readonly milliseconds: number;
}

export interface Sender {
  /** Resolves even if the receiver fails. Rejects only if `signal` aborts. */
  send(call: Call, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** How long a receiver may take to respond, in milliseconds. The contract specifies no limit. */
export const DELIVERY_TIMEOUT_MS = 10_000;

/** The number of bytes to read from a response, which is enough to quote it in the history. */
const QUOTED_BYTES = 500;

/**
 * Creates a sender that POSTs calls over guarded connections. The contract doesn't define success; any 2xx status
 * counts. Redirects aren't followed, because a signed body mustn't go to an address that nobody configured. They count
 * as failures, so the webhook's owner learns that the receiver moved.
 *
 * @param timeout milliseconds for the whole call
 */
export function createSender(options: { policy: AddressPolicy; timeout: number; resolve?: Resolve }): Sender {
  const { policy, timeout, resolve } = options;
  const agent = new Agent({
    connect: { lookup: guardedLookup(policy, resolve), timeout },
    // Keep-alive saves the handshake between a busy webhook's calls.
    keepAliveTimeout: 10_000,
    pipelining: 1,
  });
  return {
    async send({ url, headers, body }, signal) {
      const startedAt = performance.now();
      const end = (outcome: Omit<Outcome, 'milliseconds'>): Outcome => ({
        ...outcome,
        milliseconds: Math.round(performance.now() - startedAt),
      });
      const limit = AbortSignal.timeout(timeout);
      try {
        const target = new URL(url);
        assertAllowed(target, policy);
        const response = await request(target, {
          method: 'POST',
          headers,
          body,
          dispatcher: agent,
          signal: AbortSignal.any([signal, limit]),
        });
        const text = await quote(response.body);
        const status = response.statusCode;
        if (status >= 200 && status < 300) return end({ successful: true, status, error: '' });
        if (status >= 300 && status < 400) {
          return end({
            successful: false,
            status,
            error: `HTTP ${status}: the receiver redirects the call, but deliveries don't follow redirects.`,
          });
        }
        return end({ successful: false, status, error: `HTTP ${status}`, ...(text ? { response: text } : {}) });
      } catch (error) {
        if (signal.aborted) throw error;
        return end({
          successful: false,
          error: limit.aborted ? `No response within ${timeout / 1000} s.` : describeReason(error),
        });
      }
    },
    close: () => agent.destroy(),
  };
}

/** Returns the beginning of the response as text; the rest is discarded unread. */
async function quote(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= QUOTED_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, QUOTED_BYTES).toString('utf8').replaceAll('\0', '').trim();
}

const explanations: Record<string, string> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection.',
  UND_ERR_SOCKET: 'The receiver closed the connection.',
  UND_ERR_CONNECT_TIMEOUT: "The receiver couldn't be reached in time.",
  ENOTFOUND: "The receiver's host name doesn't exist in DNS.",
  EAI_AGAIN: "The receiver's host name couldn't be resolved.",
  EHOSTUNREACH: 'No route to the receiver.',
  ENETUNREACH: 'No route to the receiver.',
  ERR_INVALID_URL: "The URL isn't valid.",
};

/** Explains why a call failed. If every address of a host failed, explains only the first error. */
function describeReason(error: unknown): string {
  if (error instanceof AggregateError) return describeReason(error.errors[0]);
  if (error instanceof AddressDeniedError) return error.message;
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof AddressDeniedError) return error.cause.message;
  const { code } = error as NodeJS.ErrnoException;
  return (code !== undefined && explanations[code]) || `The call failed (${code ?? error.name}).`;
}
