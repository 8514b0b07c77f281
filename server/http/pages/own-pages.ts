import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '#server/app/app.ts';
import { loggable } from '#server/base/loggable.ts';
import { createHelpDesk, HELP_DESK_PATH } from './help-desk.ts';
import { outboxPage } from './outbox.ts';
import { type Page, pageSender } from './page.ts';

type Answer = (request: IncomingMessage) => Promise<{ status: number; page: Page }>;

/** Answers a request to one of the pages. @returns false when it is to none of them */
export type OwnPages = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** The pages that the server writes itself. */
export function ownPages(app: App, consoleFolder: string): OwnPages {
  const send = pageSender(consoleFolder);
  const answers = answersOf(app);

  async function respond(answer: Answer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, page } = await answer(request);
      send(response, status, page);
    } catch (error) {
      app.log.error('page failed', { path: request.url, error: loggable(error) });
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Something went wrong in the server.\n');
    }
  }

  return (request, response, path) => {
    const answer = answers.get(`${request.method} ${path}`);
    if (answer !== undefined) void respond(answer, request, response);
    return answer !== undefined;
  };
}

/** All stand-ins of the demo: the outbox while there is no mail server, the help desk unless there is a real one. */
function answersOf(app: App): ReadonlyMap<string, Answer> {
  const { demo, smtp, helpDesk, origin } = app.config;
  const answers = new Map<string, Answer>();
  if (demo && smtp === undefined) {
    answers.set('GET /outbox', async () => ({ status: 200, page: await outboxPage(app) }));
  }
  if (demo && helpDesk?.url === `${origin}${HELP_DESK_PATH}`) {
    const desk = createHelpDesk(app, helpDesk.secret);
    answers.set(`POST ${HELP_DESK_PATH}`, async (request) => desk(await formOf(request)));
  }
  return answers;
}

/** A form with one token. */
const MAX_BYTES = 16 * 1024;

/** @returns the fields that were posted; none when they are more than such a form has */
async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return new URLSearchParams();
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
