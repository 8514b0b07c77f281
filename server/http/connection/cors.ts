import type { ServerResponse } from 'node:http';
import { cors } from '@connectrpc/connect';
import type { NodeRequest, NodeResponse } from './node.ts';
import { answer } from './refusal.ts';

/** What scripts may send: what the protocols need, who is calling with which program, and our own headers. */
const allowedHeaders = [
  ...cors.allowedHeaders,
  'Authorization',
  'X-Client-Name',
  'X-Client-Version',
  'Quarterdeck-Keep-Alive',
].join(', ');
const exposedHeaders = cors.exposedHeaders.join(', ');
/** Two hours is the longest that browsers keep the answer to a preflight. */
const MAX_AGE = '7200';

/** @returns true when it has answered: the request was a preflight */
export type Cors = (request: NodeRequest, response: NodeResponse) => boolean;

/**
 * Lets pages of these origins call rpcs (CORS), and no others. Credentials are not allowed: a caller is known by a
 * header, never by a cookie.
 *
 * @param origins as browsers write them; with none, no answer mentions CORS
 */
export function corsFor(origins: ReadonlySet<string>): Cors {
  if (origins.size === 0) return () => false;
  return (request, response) => {
    const { origin } = request.headers;
    const outgoing = response as ServerResponse;
    // Also for other origins: a cache must not give one page the answer meant for another.
    outgoing.setHeader('vary', 'Origin');
    if (origin === undefined || !origins.has(origin)) return false;
    outgoing.setHeader('access-control-allow-origin', origin);
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      answer(response, 204, {
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': MAX_AGE,
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      });
      return true;
    }
    outgoing.setHeader('access-control-expose-headers', exposedHeaders);
    return false;
  };
}
