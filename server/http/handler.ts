import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '#server/app/app.ts';
import { consoleFiles } from './pages/console.ts';
import { loopbackOnly } from './connection/host-check.ts';
import { identityProxy, isForIdentityProvider } from './identity-proxy.ts';
import type { NodeHandlerFn } from './connection/node.ts';
import { ownPages } from './pages/own-pages.ts';
import type { BodyPatience } from './rpc/request-body.ts';
import { rpcHandler } from './rpc/rpc.ts';
import { securityHeaders } from './connection/security-headers.ts';

export interface HandlerOptions {
  /** Folder of the built console. */
  readonly consoleFolder: string;
  /** Loopback port of the embedded identity provider; undefined when Google signs people in. */
  readonly identityPort: number | undefined;
  /** Ends streams when the server begins to stop. */
  readonly shutdown: AbortSignal;
  /** How long the bodies of calls may take to arrive. */
  readonly patience?: BodyPatience;
}

/** Everything that the one port answers: rpcs in three protocols, sign-in, the console. */
export function createHandler(app: App, options: HandlerOptions): NodeHandlerFn {
  const { consoleFolder, identityPort, shutdown, patience } = options;
  const headers = Object.entries(securityHeaders(app.config));
  const files = consoleFiles(consoleFolder);
  const pages = ownPages(app, consoleFolder);
  const proxy = identityPort === undefined ? undefined : identityProxy(identityPort);
  const rpcs = rpcHandler(app, { shutdown, patience });
  const handler: NodeHandlerFn = (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (rpcs(request, response, path)) return;
    for (const [name, value] of headers) response.setHeader(name, value);
    // What follows is for browsers; Node's HTTP/2 compatibility objects have the same shape as those of HTTP/1.1.
    const [incoming, outgoing] = [request as IncomingMessage, response as ServerResponse];
    if (proxy !== undefined && isForIdentityProvider(path)) proxy(incoming, outgoing);
    else if (!pages(incoming, outgoing, path)) files(incoming, outgoing);
  };
  return app.config.demo ? loopbackOnly(handler) : handler;
}
