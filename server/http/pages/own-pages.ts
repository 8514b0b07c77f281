import type { IncomingMessage, ServerResponse } from 'node:http';

import type { App } from '#server/app/app.ts';
import { describeError } from '#server/base/describe-error.ts';

import { createHelpDesk, HELP_DESK_PATH } from './help-desk.ts';
import { createOutboxPage } from './outbox.ts';
import { type Page, pageSender } from './page.ts';

type PageHandler = (request: IncomingMessage) => Promise<{ status: number; page: Page }>;

/**
 * Answers a request to one of the pages.
 *
 * @returns false for any other path
 */
export type OwnPages = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** Returns the pages that the server renders itself. */
export function ownPages(app: App, consoleFolder: string): OwnPages {
  const send = pageSender(consoleFolder);
  const handlers = pageHandlers(app);

  async function respond(handler: PageHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, page } = await handler(request);
      send(response, status, page);
    } catch (error) {
      app.log.error("A page couldn't be served.", { path: request.url, error: describeError(error) });
      if (response.headersSent) return void response.destroy();
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Something went wrong on the server.\n');
    }
  }

  return (request, response, path) => {
    const handler = handlers.get(`${request.method} ${path}`);
    if (handler !== undefined) void respond(handler, request, response);
    return handler !== undefined;
  };
}

/** Returns the demo's pages: the outbox if it has no mail server, and the help desk if no real one is configured. */
function pageHandlers(app: App): ReadonlyMap<string, PageHandler> {
  const { demo, smtp, helpDesk, origin } = app.config;
  const handlers = new Map<string, PageHandler>();
  if (demo && smtp === undefined) {
    handlers.set('GET /outbox', async () => ({ status: 200, page: await createOutboxPage(app) }));
  }
  if (demo && helpDesk?.url === `${origin}${HELP_DESK_PATH}`) {
    const desk = createHelpDesk(app, helpDesk.secret);
    handlers.set(`POST ${HELP_DESK_PATH}`, async (request) => desk(await readForm(request)));
  }
  return handlers;
}

/** Enough for a form with a single token. */
const MAX_FORM_BYTES = 16 * 1024;

/** Reads the posted fields. Returns none if the body exceeds `MAX_FORM_BYTES`. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Read to the end even if the body is too large: leaving the loop early would close the connection.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_FORM_BYTES) chunks.push(chunk);
  }
  return new URLSearchParams(bytes > MAX_FORM_BYTES ? '' : Buffer.concat(chunks).toString('utf8'));
}
