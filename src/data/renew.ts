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
  /** Whether there is another bearer by now than the one that was refused. */
  readonly renewed: (refused: string) => Promise<boolean>;
  /** The session is over (spec 8); `said` is the server's sentence. */
  readonly end: (message: string) => Promise<void>;
}

/** Makes a call that is refused for the age of its bearer once more, with a fresh one, so that nobody loses it. */
export function renewWith({ renewed, end }: Session): Interceptor {
  type Request = UnaryRequest | StreamRequest;

  const mayRetry = async ({ header }: Request, refusal: ConnectError): Promise<boolean> => {
    const [, token] = (header.get('authorization') ?? '').split(' ');
    if (token && (await renewed(token).catch(unlessUnreachable))) return true;
    await end(refusal.rawMessage);
    return false;
  };

  async function* readOn(request: Request, { message }: StreamResponse): StreamResponse['message'] {
    try {
      yield* message;
    } catch (error) {
      if (isUnauthenticated(error) && (await mayRetry(request, error))) throw openAgain(error);
      throw error;
    }
  }

  return (next) => async (request) => {
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: readOn(request, response) } : response;
    } catch (error) {
      if (!isUnauthenticated(error) || !(await mayRetry(request, error))) throw error;
      if (request.stream) throw openAgain(error);
    }
    try {
      return await next(request);
    } catch (error) {
      if (isUnauthenticated(error)) await end(error.rawMessage);
      throw error;
    }
  };
}

/** A stream cannot be resumed: whoever reads it opens it again, as after any loss of the connection. */
function openAgain(refusal: ConnectError): ConnectError {
  return new ConnectError(refusal.rawMessage, Code.Unavailable, undefined, undefined, refusal);
}

/** An identity provider that cannot be reached ends no session; one that refuses does. */
function unlessUnreachable(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'auth/network-request-failed') {
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  return false;
}
