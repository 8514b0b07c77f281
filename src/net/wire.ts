import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { API_URL, CLIENT_NAME, CLIENT_VERSION } from './config.ts';
import { fetchExplained } from './fetch-explained.ts';
import { lost, reached, watchCall } from './reach.ts';

/** Every call says which client it is from (spec 7). */
const introduce: Interceptor = (next) => (request) => {
  request.header.set('x-client-name', CLIENT_NAME);
  request.header.set('x-client-version', CLIENT_VERSION);
  return next(request);
};

/**
 * What the browser could not send, or not read to its end, is a server out of reach: worth another try, and no defect
 * of ours.
 */
const reach: Interceptor = (next) => async (request) => {
  const ended = watchCall();
  try {
    const response = await next(request);
    reached();
    return response;
  } catch (error) {
    const away = error instanceof TypeError;
    if (away || isUnavailable(error)) lost();
    else if (error instanceof ConnectError && error.code !== Code.Canceled) reached();
    if (!away) throw error;
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  } finally {
    ended();
  }
};

/** Also what a proxy says in front of a server that is away. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable;
}

/** The way to the server. Calls made with it as it is carry no bearer; `interceptors` may add one. */
export function openTransport(interceptors: readonly Interceptor[] = []): Transport {
  return createGrpcWebTransport({
    baseUrl: API_URL,
    interceptors: [...interceptors, introduce, reach],
    fetch: fetchExplained,
  });
}
