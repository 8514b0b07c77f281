import { Code, ConnectError } from '@connectrpc/connect';

import type { NodeHandlerFn, NodeRequest } from './node.ts';
import { rejectRequest } from './rejection.ts';

/** 421 Misdirected Request. */
const MISDIRECTED = 421;

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Answers only requests for a loopback name of this machine, which prevents DNS rebinding.
 *
 * In DNS rebinding, a malicious page points its own host name at 127.0.0.1, and the browser then treats our server as
 * same-origin. The page has no credential, but anyone can forge the unsigned ID tokens of the embedded identity
 * provider.
 */
export function loopbackOnly(handler: NodeHandlerFn): NodeHandlerFn {
  return (request, response) => {
    if (loopbackNames.has(hostOf(request))) return handler(request, response);
    const reason = 'This demo only answers requests for localhost and 127.0.0.1.';
    rejectRequest(request, response, new ConnectError(reason, Code.PermissionDenied), MISDIRECTED);
  };
}

/** Returns the request's host without its port: `:authority` in HTTP/2, `host` in HTTP/1.1. */
function hostOf({ headers }: NodeRequest): string {
  const authority = headers[':authority'] ?? headers.host ?? '';
  return String(authority).replace(/:\d+$/, '').toLowerCase();
}
