import { Code, ConnectError } from '@connectrpc/connect';

import type { NodeHandlerFn, NodeRequest } from './node.ts';
import { refuse } from './refusal.ts';

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
    if (loopbackNames.has(nameIn(request))) return handler(request, response);
    const sentence = 'This demo only answers at localhost and 127.0.0.1.';
    refuse(request, response, new ConnectError(sentence, Code.PermissionDenied), MISDIRECTED);
  };
}

/** Returns the host in the request, without its port: `:authority` of HTTP/2, `host` of HTTP/1.1. */
function nameIn({ headers }: NodeRequest): string {
  const authority = headers[':authority'] ?? headers.host ?? '';
  return String(authority).replace(/:\d+$/, '').toLowerCase();
}
