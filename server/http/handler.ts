import type { IncomingMessage, ServerResponse } from 'node:http';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';

import { loopbackOnly } from './connection/host-check.ts';
import type { NodeHandlerFn } from './connection/node.ts';
import { securityHeaders } from './connection/security-headers.ts';
import { fileRoute } from './files/files.ts';
import { identityProxy, isForIdentityProvider } from './identity-proxy.ts';
import { consoleFiles } from './pages/console.ts';
import { ownPages } from './pages/own-pages.ts';
import type { BodyTimeouts } from './rpc/request-body.ts';
import { rpcHandler } from './rpc/rpc.ts';

export interface HandlerOptions {
  /** The folder of the built console. */
  readonly consoleFolder: string;
  /** The loopback port of the embedded identity provider; undefined if Google signs users in. */
  readonly identityPort: number | undefined;
  /** Aborted when the server starts to shut down, which ends streams. */
  readonly shutdown: AbortSignal;
  /** The time limits for the bodies of calls. */
  readonly timeouts?: BodyTimeouts;
}

/** Creates the handler for every request to the server: sign-in, the console, files, and rpcs in three protocols. */
export function createHandler(app: App, options: HandlerOptions): NodeHandlerFn {
  const { consoleFolder, identityPort, shutdown, timeouts } = options;
  const headers = Object.entries(securityHeaders(app.config));
  const files = consoleFiles(consoleFolder);
  const pages = ownPages(app, consoleFolder);
  const proxy = identityPort === undefined ? undefined : identityProxy(identityPort);
  const rpcs = rpcHandler(app, { shutdown, timeouts });
  const storedFiles = fileRoute(app, timeouts);
  const route: NodeHandlerFn = (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (rpcs(request, response, path) || storedFiles(request, response, path)) return;
    for (const [name, value] of headers) response.setHeader(name, value);
    // All other requests are for browsers. Node's HTTP/2 compatibility objects have the shape of its HTTP/1.1 objects.
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    if (proxy !== undefined && isForIdentityProvider(path)) proxy(incoming, outgoing);
    else if (!pages(incoming, outgoing, path)) files(incoming, outgoing);
  };
  const handler: NodeHandlerFn = (request, response) => {
    try {
      route(request, response);
    } catch (error) {
      // Without this, an unexpected error in a handler would stop the server for everyone.
      app.log.error('A request failed.', { path: request.url, error: describeError(error) });
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
  return app.config.demo ? loopbackOnly(handler) : handler;
}
