import type { IncomingMessage, ServerResponse } from 'node:http';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { App } from '../app.ts';
import { createRoutes, routerOptions } from '../routes.ts';
import { consoleFiles } from './console.ts';
import { loopbackOnly } from './host-check.ts';
import { identityProxy, isForIdentityProvider } from './identity-proxy.ts';
import type { NodeHandlerFn } from './node.ts';
import { ownPages } from './own-pages.ts';
import { securityHeaders } from './security-headers.ts';
import { answerUnknownRpc, isRpcPath } from './unknown-rpc.ts';

export interface HandlerOptions {
  /** Folder of the built console. */
  consoleFolder: string;
  /** Loopback port of the embedded identity provider; undefined when Google signs people in. */
  identityPort: number | undefined;
  /** Ends calls in progress, streams above all, when the server stops. */
  shutdown: AbortSignal;
}

/** Everything that the one port answers: rpcs in three protocols, sign-in, the console. */
export function createHandler(app: App, { consoleFolder, identityPort, shutdown }: HandlerOptions): NodeHandlerFn {
  const headers = Object.entries(securityHeaders(app.config));
  const files = consoleFiles(consoleFolder);
  const pages = ownPages(app, consoleFolder);
  const proxy = identityPort === undefined ? undefined : identityProxy(identityPort);
  const handler = connectNodeAdapter({
    ...routerOptions(app),
    shutdownSignal: shutdown,
    routes: createRoutes(app),
    fallback(request, response) {
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      if (isRpcPath(path)) return answerUnknownRpc(request, response, path);
      for (const [name, value] of headers) response.setHeader(name, value);
      // What follows is for browsers; Node's HTTP/2 compatibility objects have the same shape as those of HTTP/1.1.
      const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
      if (proxy !== undefined && isForIdentityProvider(path)) return proxy(incoming, outgoing);
      if (pages(incoming, outgoing, path)) return undefined;
      return files(incoming, outgoing);
    },
  });
  return app.config.demo ? loopbackOnly(handler) : handler;
}
