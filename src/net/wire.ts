import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { API_URL, CLIENT_NAME, CLIENT_VERSION } from './config.ts';
import { fetchWithErrorText } from './fetch-with-error-text.ts';
import { reportUnreachable, reportReachable, watchCall } from './reach.ts';

/** Adds the client's name and version to every call (spec 7). */
const identifyClient: Interceptor = (next) => (request) => {
  request.header.set('x-client-name', CLIENT_NAME);
  request.header.set('x-client-version', CLIENT_VERSION);
  return next(request);
};

/**
 * Tracks with every call whether the server is reachable. If the browser can't send a request or read a response to
 * the end, the call fails as UNAVAILABLE, so it is retried and not reported as a bug.
 */
const trackReachability: Interceptor = (next) => async (request) => {
  const stopWatching = watchCall();
  try {
    const response = await next(request);
    reportReachable();
    return response;
  } catch (error) {
    const isNetworkError = error instanceof TypeError;
    if (isNetworkError || isUnavailable(error)) reportUnreachable();
    else if (error instanceof ConnectError && error.code !== Code.Canceled) reportReachable();
    if (!isNetworkError) throw error;
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  } finally {
    stopWatching();
  }
};

/** True if the server, or a proxy in front of it, reports that it is unavailable. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unavailable;
}

/** Creates a transport to the server, which adds a bearer token only if one of `interceptors` does. */
export function openTransport(interceptors: readonly Interceptor[] = []): Transport {
  return createGrpcWebTransport({
    baseUrl: API_URL,
    interceptors: [...interceptors, identifyClient, trackReachability],
    fetch: fetchWithErrorText,
  });
}
