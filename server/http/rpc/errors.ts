import { randomUUID } from 'node:crypto';
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import { databaseCondition } from '#server/db/conditions.ts';
import type { Log } from '#server/base/log.ts';
import { loggable, withoutParameters } from '#server/base/loggable.ts';
import { rpcName } from '#server/policies/rpcs.ts';
import { withinHeaders } from '#server/http/connection/refusal.ts';

/**
 * The outermost interceptor. What a service throws on purpose is a ConnectError and goes to the caller as it is;
 * anything else is a defect: the caller gets INTERNAL and a reference, the log gets the rest, once.
 */
export function errorInterceptor(log: Log): Interceptor {
  return (next) => async (request) => {
    const name = rpcName(request.method);
    try {
      const response = await next(request);
      if (!response.stream) return response;
      return { ...response, message: guarded(log, name, request.signal, response.message) };
    } catch (error) {
      throw presentable(log, name, request.signal, error);
    }
  };
}

async function* guarded<T>(
  log: Log,
  rpc: string,
  signal: AbortSignal,
  messages: AsyncIterable<T>,
): AsyncGenerator<T, void> {
  try {
    yield* messages;
  } catch (error) {
    throw presentable(log, rpc, signal, error);
  }
}

function presentable(log: Log, rpc: string, signal: AbortSignal, error: unknown): ConnectError {
  if (error instanceof ConnectError) return sendable(error);
  // The caller hung up, or the deadline passed: connect has set the reason, and nobody needs to look into it.
  if (signal.aborted) return ConnectError.from(signal.reason, Code.Canceled);
  const refused = refusedValue(error);
  if (refused !== undefined) return new ConnectError(refused, Code.InvalidArgument);
  const condition = databaseCondition(error);
  if (condition !== undefined) {
    log.error('call failed', { rpc, error: loggable(error) });
    return new ConnectError(condition.sentence, condition.code);
  }
  const reference = randomUUID().slice(0, 8);
  const { message, cause, stack } = described(error);
  log.error('call failed', { rpc, reference, error: message, cause, stack });
  return new ConnectError(`Something went wrong in the server (reference ${reference}).`, Code.Internal);
}

/**
 * Sentences may quote what was sent, which may be megabytes: a second of encoding for gRPC. And they may cut a text
 * within a character, of which gRPC cannot send half.
 */
function sendable(error: ConnectError): ConnectError {
  const { rawMessage, code, metadata, cause } = error;
  const sentence = withinHeaders(rawMessage);
  if (sentence === rawMessage && !/\p{Surrogate}/u.test(sentence)) return error;
  return new ConnectError(Buffer.from(sentence).toString(), code, metadata, undefined, cause);
}

/**
 * What PostgreSQL cannot store of what a request brings, by SQLSTATE: wherever it stands, the request is what is
 * wrong.
 */
const refusedValues: Readonly<Record<string, string>> = {
  '22003': 'The request holds a number that is too large.',
  '22021': 'The request holds a text with a NUL character, which cannot be stored.',
  '22P05': 'The request holds a text with a NUL character, which cannot be stored.',
};

function refusedValue(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  if (!(cause instanceof Error) || !('code' in cause)) return undefined;
  return refusedValues[String(cause.code)];
}

function described(error: unknown): { message: string; cause?: string; stack?: string } {
  if (!(error instanceof Error)) return { message: loggable(error) };
  const { cause } = error;
  return {
    message: withoutParameters(error.message),
    ...(cause === undefined || cause === null ? {} : { cause: loggable(cause) }),
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
