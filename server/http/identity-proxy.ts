import { request as httpRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { clientOperations, googlePages } from '#server/identity/operations.ts';

const ALLOWED_REQUESTS: ReadonlySet<string> = new Set([
  ...clientOperations.map(([host, method, path]) => `${method} /${host}${path}`),
  ...googlePages.map(([method, path]) => `${method} ${path}`),
]);

const PATH_PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/', '/emulator/'];

export const isForIdentityProvider = (path: string): boolean => PATH_PREFIXES.some((prefix) => path.startsWith(prefix));

/**
 * Headers that the provider needs. Excludes `authorization` because `Bearer owner` would grant administrator access.
 */
const requestHeaders = ['accept', 'accept-language', 'content-type', 'content-length', 'user-agent'];
/** Headers of the provider's response that the caller needs. */
const responseHeaders = ['content-type', 'content-length', 'cache-control', 'vary'];

/** Sign-in requests are small forms. */
const MAX_BYTES = 64 * 1024;

export type Proxy = (request: IncomingMessage, response: ServerResponse) => void;

/** Forwards the SDK's requests to the embedded provider, so browsers need only one origin. */
export function identityProxy(port: number): Proxy {
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (!ALLOWED_REQUESTS.has(`${request.method} ${path}`)) return fail(response, 404, 'NOT_FOUND');
    if (request.method === 'POST' && !(Number(request.headers['content-length']) <= MAX_BYTES)) {
      return fail(response, 413, 'REQUEST_TOO_LARGE');
    }
    const headers: OutgoingHttpHeaders = Object.fromEntries(
      requestHeaders.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, request.headers[name]]])),
    );
    // Replace the client's value, so wrong passwords count against the client's real address.
    headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
    const upstream = httpRequest({ host: '127.0.0.1', port, method: request.method, path: request.url, headers });
    upstream.once('response', (upstreamResponse) => {
      response.statusCode = upstreamResponse.statusCode ?? 502;
      for (const name of responseHeaders) {
        const value = upstreamResponse.headers[name];
        if (value !== undefined) response.setHeader(name, value);
      }
      upstreamResponse.pipe(response);
    });
    upstream.once('error', () => fail(response, 502, 'IDENTITY_PROVIDER_UNAVAILABLE'));
    response.once('close', () => upstream.destroy());
    request.pipe(upstream);
  };
}

/** Responds in the format of the provider's own errors, which the SDK converts to a code. */
function fail(response: ServerResponse, code: number, message: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code, message, errors: [{ message, reason: message }] } }));
}
