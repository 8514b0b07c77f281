import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import sirv, { type RequestHandler } from 'sirv';

/** File names under this path contain a hash of the content, so they never change. */
const HASHED = '/assets/';
const ONE_YEAR = 'public, max-age=31536000, immutable';

/**
 * Serves the built console: its files, and `index.html` for every other address that a browser navigates to, because
 * the console has its own routes.
 *
 * @param folder holds `index.html`
 */
export function consoleFiles(folder: string): RequestHandler {
  if (!existsSync(join(folder, 'index.html'))) {
    return (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('The console is not built. This server only answers calls.\n');
    };
  }
  const sendFile = sirv(folder, {
    // Looks at the folder for each request, because a build may replace the files while the server runs.
    dev: true,
    etag: true,
    // Serves the compressed copy of a file if the build wrote one.
    gzip: true,
    setHeaders: (response, path) =>
      void response.setHeader('cache-control', path.startsWith(HASHED) ? ONE_YEAR : 'no-cache'),
  });
  const files: RequestHandler = (request, response, next) => {
    // sirv throws for some ranges, such as `bytes=5-2`. No file is large enough to request in parts.
    delete request.headers.range;
    response.once('pipe', (file: Readable) => {
      // The file may be gone when sirv opens it, which nothing else handles.
      file.once('error', () => response.destroy());
      // A pipe does not close the file when the client hangs up.
      response.once('close', () => file.destroy());
    });
    sendFile(request, response, next);
  };
  return (request, response) => {
    const notFound = (): void => {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('Page not found.\n');
    };
    files(request, response, () => {
      if (!isNavigation(request.method, request.headers.accept, request.url)) return notFound();
      request.url = '/';
      return files(request, response, notFound);
    });
  };
}

/** True if a person opens an address, as opposed to a page requesting a script, an image or data. */
function isNavigation(method: string | undefined, accept: string | undefined, url = '/'): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (accept?.includes('text/html') !== true) return false;
  return !url.startsWith(HASHED);
}
