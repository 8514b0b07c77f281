import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve, sep } from 'node:path';

import { lookup } from 'mrmime';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** File names under this path contain a hash of the content, so they never change. */
const HASHED = '/assets/';
const ONE_YEAR = 'public, max-age=31536000, immutable';
const INDEX = '/index.html';

/**
 * Serves the built console: its files, and `index.html` for every other address that a browser navigates to, because
 * the console has its own routes. Ignores ranges: no file is large enough to request in parts.
 *
 * @param folder holds `index.html`
 */
export function consoleFiles(folder: string): RequestHandler {
  if (!existsSync(join(folder, INDEX))) {
    return (_request, response) => respond(response, 404, 'The console is not built. This server only answers calls.');
  }
  const root = resolve(folder);
  const contentOf = sharedContents();
  return (request, response) => {
    const { method, url, headers } = request;
    const path = filePath(url);
    const isFound = path !== undefined && findFile(root, path) !== undefined;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isFound && !isRead) {
      response.setHeader('allow', 'GET, HEAD');
      return respond(response, 405, 'A file only answers GET and HEAD.');
    }
    if (!isFound && !(isRead && isNavigation(headers.accept, url))) return respond(response, 404, 'Page not found.');
    const shownPath = isFound ? path : INDEX;
    // The compressed copy of a file, if the build wrote one.
    const zipped = acceptsGzip(request) ? findFile(root, `${shownPath}.gz`) : undefined;
    const file = zipped ?? findFile(root, shownPath);
    if (!file) return respond(response, 404, 'Page not found.');
    response.setHeader('cache-control', shownPath.startsWith(HASHED) ? ONE_YEAR : 'no-cache');
    response.setHeader('vary', 'accept-encoding');
    response.setHeader('etag', file.version);
    if (headers['if-none-match'] === file.version) {
      response.writeHead(304).end();
      return undefined;
    }
    const send = (body: Buffer): void => {
      response.setHeader('content-type', contentTypeOf(shownPath));
      response.setHeader('content-length', body.length);
      if (zipped) response.setHeader('content-encoding', 'gzip');
      response.end(method === 'HEAD' ? undefined : body);
    };
    contentOf(file).then(send, () => {
      response.setHeader('cache-control', 'no-store');
      respond(response, 500, 'The file cannot be read.');
    });
    return undefined;
  };
}

interface FoundFile {
  readonly path: string;
  /** Changes whenever a build replaces the file. */
  readonly version: string;
}

/** Looks at the folder for each request, because a build may replace the files while the server runs. */
function findFile(root: string, path: string): FoundFile | undefined {
  const fullPath = join(root, path);
  // `existsSync` is false for names that `statSync` would throw for.
  if (!fullPath.startsWith(root + sep) || !existsSync(fullPath)) return undefined;
  const stats = statSync(fullPath, { throwIfNoEntry: false });
  return stats?.isFile() ? { path: fullPath, version: `W/"${stats.size}-${stats.mtimeMs}"` } : undefined;
}

/**
 * Returns a reader of files that keeps them in memory. All responses share one copy and no open file: otherwise clients
 * that request much and read nothing would exhaust the memory and the file descriptors of the server.
 */
function sharedContents(): (file: FoundFile) => Promise<Buffer> {
  const contents = new Map<string, { readonly version: string; readonly body: Promise<Buffer> }>();
  return ({ path, version }) => {
    const kept = contents.get(path);
    if (kept?.version === version) return kept.body;
    // A build has replaced this file, and perhaps removed others.
    if (kept) contents.clear();
    const body = readFile(path);
    contents.set(path, { version, body });
    body.catch(() => contents.delete(path));
    return body;
  };
}

/** Returns the path of the file at a URL; undefined if it is badly escaped. */
function filePath(url = '/'): string | undefined {
  try {
    const path = decodeURIComponent(url.split('?', 1)[0] ?? '/');
    return path === '/' ? INDEX : path;
  } catch {
    return undefined;
  }
}

function contentTypeOf(path: string): string {
  const type = lookup(path) ?? '';
  return type === 'text/html' ? `${type}; charset=utf-8` : type;
}

const acceptsGzip = ({ headers }: IncomingMessage): boolean => headers['accept-encoding']?.includes('gzip') === true;

/** True if a person opens an address, as opposed to a page requesting a script, an image or data. */
function isNavigation(accept: string | undefined, url = '/'): boolean {
  return accept?.includes('text/html') === true && !url.startsWith(HASHED);
}

function respond(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${sentence}\n`);
}
