import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve, sep } from 'node:path';

import { lookup } from 'mrmime';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** File names under this path contain a hash of the content, so they never change. */
const HASHED_PATH = '/assets/';
const ONE_YEAR = 'public, max-age=31536000, immutable';
const INDEX = '/index.html';

/**
 * Serves the files of the built console, and `index.html` for every other address that a browser navigates to, because
 * the console has its own routes. Ignores ranges because no file is large enough to request in pieces.
 *
 * @param folder contains `index.html`
 */
export function consoleFiles(folder: string): RequestHandler {
  if (!existsSync(join(folder, INDEX))) {
    return (_request, response) => respond(response, 404, "The console isn't built. This server only answers calls.");
  }
  const root = resolve(folder);
  const contentOf = sharedContents();
  return (request, response) => {
    const { method, url, headers } = request;
    const path = filePath(url);
    const isFound = path !== undefined && findFile(root, path) !== undefined;
    const isReadRequest = method === 'GET' || method === 'HEAD';
    if (isFound && !isReadRequest) {
      response.setHeader('allow', 'GET, HEAD');
      return respond(response, 405, 'Files can only be requested with GET or HEAD.');
    }
    if (!isFound && !(isReadRequest && isNavigation(headers.accept, url)))
      return respond(response, 404, 'Page not found.');
    const servedPath = isFound ? path : INDEX;
    // The compressed copy of a file, if the build wrote one.
    const compressed = acceptsGzip(request) ? findFile(root, `${servedPath}.gz`) : undefined;
    const file = compressed ?? findFile(root, servedPath);
    if (!file) return respond(response, 404, 'Page not found.');
    response.setHeader('cache-control', servedPath.startsWith(HASHED_PATH) ? ONE_YEAR : 'no-cache');
    response.setHeader('vary', 'accept-encoding');
    response.setHeader('etag', file.version);
    if (headers['if-none-match'] === file.version) {
      response.writeHead(304).end();
      return undefined;
    }
    const send = (body: Buffer): void => {
      response.setHeader('content-type', contentTypeOf(servedPath));
      response.setHeader('content-length', body.length);
      if (compressed) response.setHeader('content-encoding', 'gzip');
      response.end(method === 'HEAD' ? undefined : body);
    };
    contentOf(file).then(send, () => {
      response.setHeader('cache-control', 'no-store');
      respond(response, 500, "The file can't be read.");
    });
    return undefined;
  };
}

interface FoundFile {
  readonly path: string;
  /** Changes whenever a build replaces the file. */
  readonly version: string;
}

/** Checks the folder for each request because a build can replace the files while the server runs. */
function findFile(root: string, path: string): FoundFile | undefined {
  const fullPath = join(root, path);
  // `existsSync` is false for names that `statSync` would throw for.
  if (!fullPath.startsWith(root + sep) || !existsSync(fullPath)) return undefined;
  const stats = statSync(fullPath, { throwIfNoEntry: false });
  return stats?.isFile() ? { path: fullPath, version: `W/"${stats.size}-${stats.mtimeMs}"` } : undefined;
}

/**
 * Creates a reader that keeps the contents of files in memory. All responses share one copy and keep no file open.
 * Otherwise, clients that send many requests and read no responses would exhaust the server's memory and file
 * descriptors.
 */
function sharedContents(): (file: FoundFile) => Promise<Buffer> {
  const contents = new Map<string, { readonly version: string; readonly body: Promise<Buffer> }>();
  return ({ path, version }) => {
    const cached = contents.get(path);
    if (cached?.version === version) return cached.body;
    // A build has replaced this file and may have removed others.
    if (cached) contents.clear();
    const body = readFile(path);
    contents.set(path, { version, body });
    body.catch(() => contents.delete(path));
    return body;
  };
}

/** Returns the path of the file at a URL; undefined if the URL has an invalid escape sequence. */
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

/** True if a user opens an address; false if a page requests a script, an image, or data. */
function isNavigation(accept: string | undefined, url = '/'): boolean {
  return accept?.includes('text/html') === true && !url.startsWith(HASHED_PATH);
}

function respond(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${message}\n`);
}
