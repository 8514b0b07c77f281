import { randomUUID } from 'node:crypto';

import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

import { describeError, withoutParameters } from '#server/base/describe-error.ts';
import type { Log } from '#server/base/log.ts';
import { databaseCondition } from '#server/db/conditions.ts';
import { truncateForHeaders } from '#server/http/connection/rejection.ts';
import { rpcName } from '#server/policies/rpcs.ts';

/**
 * Creates the outermost interceptor. An error that a service throws on purpose is a ConnectError and reaches the caller
 * unchanged. Any other error is a bug, so the caller gets INTERNAL and a reference, and the details are logged.
 */
export function errorInterceptor(log: Log): Interceptor {
  return (next) => async (request) => {
    const name = rpcName(request.method);
    try {
      const response = await next(request);
      if (!response.stream) return response;
      return { ...response, message: guardStream(log, name, request.signal, response.message) };
    } catch (error) {
      throw toConnectError(log, name, request.signal, error);
    }
  };
}

async function* guardStream<T>(
  log: Log,
  rpc: string,
  signal: AbortSignal,
  messages: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  try {
    yield* messages;
  } catch (error) {
    throw toConnectError(log, rpc, signal, error);
  }
}

/** Converts what a call threw to the error that its caller gets, and logs a bug. */
export function toConnectError(log: Log, rpc: string, signal: AbortSignal, error: unknown): ConnectError {
  if (error instanceof ConnectError) return makeSendable(error);
  // The caller hung up or the deadline passed. Connect has set the reason, and there is nothing to investigate.
  if (signal.aborted) return ConnectError.from(signal.reason, Code.Canceled);
  const rejectedMessage = rejectedValue(error);
  if (rejectedMessage !== undefined) return new ConnectError(rejectedMessage, Code.InvalidArgument);
  const condition = databaseCondition(error);
  if (condition !== undefined) {
    log.error('A call failed.', { rpc, error: describeError(error) });
    return new ConnectError(condition.message, condition.code);
  }
  const reference = randomUUID().slice(0, 8);
  const { message, cause, stack } = describe(error);
  log.error('A call failed.', { rpc, reference, error: message, cause, stack });
  return new ConnectError(`Something went wrong in the server (reference ${reference}).`, Code.Internal);
}

/**
 * Shortens a message that quotes megabytes of the request because gRPC would take a second to encode it. Replaces an
 * unpaired surrogate left by truncation, which gRPC cannot send.
 */
function makeSendable(error: ConnectError): ConnectError {
  const { rawMessage, code, metadata, cause } = error;
  const truncated = truncateForHeaders(rawMessage);
  if (truncated === rawMessage && !/\p{Surrogate}/u.test(truncated)) return error;
  return new ConnectError(Buffer.from(truncated).toString(), code, metadata, undefined, cause);
}

/** Messages for values that PostgreSQL can't store, by SQLSTATE. Any request with such a value is invalid. */
const rejectedValueMessages: Readonly<Record<string, string>> = {
  '22003': 'The request contains a number that is too large.',
  '22021': "The request contains a NUL character, which can't be stored.",
  '22P05': "The request contains a NUL character, which can't be stored.",
};

function rejectedValue(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return rejectedValueMessages[String(cause.code)];
}

function describe(error: unknown): { message: string; cause?: string; stack?: string } {
  if (!(error instanceof Error)) return { message: describeError(error) };
  const { cause } = error;
  return {
    message: withoutParameters(error.message),
    ...(cause === undefined || cause === null ? {} : { cause: describeError(cause) }),
    ...(error.stack === undefined ? {} : { stack: framesOf(error.stack) }),
  };
}

const framesOf = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim())
    .join(' < ');
