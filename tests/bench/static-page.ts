import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const HTML = '<!doctype html><title>Empty</title><body><script type="module" src="/page.js"></script>';

/** Serves a page with one script, compressed like the console's scripts, while `task` runs. */
export async function withPage<Result>(script: string, task: (address: string) => Promise<Result>): Promise<Result> {
  const compressed = gzipSync(script, { level: 9 });
  const server = createServer(({ url }, response) => {
    if (url === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript', 'content-encoding': 'gzip' }).end(compressed);
    } else response.writeHead(200, { 'content-type': 'text/html' }).end(HTML);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await task(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
