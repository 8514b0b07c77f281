import type { ServerResponse } from 'node:http';

import { cors } from '@connectrpc/connect';

import type { NodeRequest, NodeResponse } from './node.ts';
import { respond } from './rejection.ts';

/** The headers that scripts can send, for the protocols, the caller's credentials, the client name, and keep-alive. */
const allowedHeaders = [
  ...cors.allowedHeaders,
  'Authorization',
  'X-Client-Name',
  'X-Client-Version',
  'Quarterdeck-Keep-Alive',
  'Range',
].join(', ');
/** The size and the name of a file, which its response declares (server/http/files). */
const fileHeaders = ['Content-Disposition', 'Content-Range', 'Content-Length'];
const exposedHeaders = [...cors.exposedHeaders, ...fileHeaders].join(', ');
/** Two hours, in seconds. Browsers don't cache a preflight response for longer. */
const MAX_AGE_SECONDS = '7200';

/** Applies CORS to a request. Returns true if the request was a preflight and has been answered. */
export type Cors = (request: NodeRequest, response: NodeResponse) => boolean;

/**
 * Allows only pages from the given origins to call rpcs and to send and receive files (CORS). Doesn't allow
 * credentials: callers authenticate with a header, never with a cookie.
 *
 * @param origins as browsers write them; if empty, responses have no CORS headers
 */
export function corsFor(origins: ReadonlySet<string>): Cors {
  if (origins.size === 0) return () => false;
  return (request, response) => {
    const { origin } = request.headers;
    const outgoing = response as ServerResponse;
    // Also set for other origins, so a cache never serves a page the response that is meant for another page.
    outgoing.setHeader('vary', 'Origin');
    if (origin === undefined || !origins.has(origin)) return false;
    outgoing.setHeader('access-control-allow-origin', origin);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      respond(response, 204, {
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': MAX_AGE_SECONDS,
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      });
      return true;
    }
    outgoing.setHeader('access-control-expose-headers', exposedHeaders);
    return false;
  };
}
