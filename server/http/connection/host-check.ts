import { Code, ConnectError } from '@connectrpc/connect';
import type { NodeHandlerFn, NodeRequest } from './node.ts';
import { refuse } from './refusal.ts';

/** 421 Misdirected Request. */
const MISDIRECTED = 421;

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Answers only requests that were addressed to this machine by one of its loopback names.
 *
 * A web page elsewhere can have its own name point at 127.0.0.1 and then count as same-origin. Elsewhere it would still
 * lack a credential, but anybody can write the unsigned ID tokens of the embedded identity provider.
 */
export function loopbackOnly(handler: NodeHandlerFn): NodeHandlerFn {
  return (request, response) => {
    if (loopbackNames.has(nameIn(request))) return handler(request, response);
    const sentence = 'This demo answers at localhost and 127.0.0.1 only.';
    refuse(request, response, new ConnectError(sentence, Code.PermissionDenied), MISDIRECTED);
  };
}

/** The host that the request names, without its port: `:authority` of HTTP/2, `host` of HTTP/1.1. */
function nameIn({ headers }: NodeRequest): string {
  const authority = headers[':authority'] ?? headers.host ?? '';
  return String(authority).replace(/:\d+$/, '').toLowerCase();
}
