import {
  Code,
  ConnectError,
  type Interceptor,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
} from '@connectrpc/connect';

import { isUnauthenticated } from '#commands/model/errors.ts';

interface Session {
  /** True if there is a newer bearer token than the rejected one. */
  readonly hasNewerToken: (rejectedToken: string) => Promise<boolean>;
  /** Ends the session (spec 8). `message` comes from the server. */
  readonly end: (message: string) => Promise<void>;
}

/** Retries a call with a fresh bearer token if the server rejected its token as expired. */
export function tokenInterceptor({ hasNewerToken, end }: Session): Interceptor {
  type Request = UnaryRequest | StreamRequest;

  const canRetry = async ({ header }: Request, rejection: ConnectError): Promise<boolean> => {
    const [, token] = (header.get('authorization') ?? '').split(' ');
    if (token && (await hasNewerToken(token).catch(falseIfRejected))) return true;
    await end(rejection.rawMessage);
    return false;
  };

  async function* readStream(request: Request, { message }: StreamResponse): StreamResponse['message'] {
    try {
      yield* message;
    } catch (error) {
      if (isUnauthenticated(error) && (await canRetry(request, error))) throw reopenError(error);
      throw error;
    }
  }

  return (next) => async (request) => {
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: readStream(request, response) } : response;
    } catch (error) {
      if (!isUnauthenticated(error) || !(await canRetry(request, error))) throw error;
      if (request.stream) throw reopenError(error);
    }
    try {
      return await next(request);
    } catch (error) {
      if (isUnauthenticated(error)) await end(error.rawMessage);
      throw error;
    }
  };
}

/** A stream cannot be resumed, so its reader reopens it, as after any connection loss. */
function reopenError(rejection: ConnectError): ConnectError {
  return new ConnectError(rejection.rawMessage, Code.Unavailable, undefined, undefined, rejection);
}

/** An unreachable identity provider does not end the session, but a rejection does. */
function falseIfRejected(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'auth/network-request-failed') {
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  return false;
}
