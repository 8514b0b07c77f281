import { Code, ConnectError, type Interceptor, type Transport } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { API_URL, CLIENT_NAME, CLIENT_VERSION } from '../config.ts';

/** Every call says which client it is from (spec 7). */
const introduce: Interceptor = (next) => (request) => {
  request.header.set('x-client-name', CLIENT_NAME);
  request.header.set('x-client-version', CLIENT_VERSION);
  return next(request);
};

/** What the browser could not send, or not read to its end, is a server out of reach: worth another try, and no defect of ours. */
const reach: Interceptor = (next) => async (request) => {
  try {
    return await next(request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
};

/** The way to the server. Calls made with it as it is carry no bearer; `interceptors` may add one. */
export function openTransport(interceptors: readonly Interceptor[] = []): Transport {
  return createGrpcWebTransport({ baseUrl: API_URL, interceptors: [...interceptors, introduce, reach] });
}
