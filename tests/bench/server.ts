import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { freePort } from '#server/launch/free-port.mjs';

const READY_TIMEOUT_MS = 180_000;

/**
 * Runs the built server on its own port and data folder while `task` runs.
 *
 * @param options options of `npm start`, such as `['--devices', '100000', '--rate', '0']`
 */
export async function withServer<Result>(
  options: readonly string[],
  task: (address: string) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['tests/e2e/serve.mjs', ...options, '--port', String(port)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await Promise.race([
      waitForServer(address),
      exited.then(() => {
        throw new Error('The server exited before it responded.');
      }),
    ]);
    return await task(address);
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

async function waitForServer(address: string): Promise<void> {
  const until = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < until) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`The server did not respond within ${READY_TIMEOUT_MS / 1000} s.`);
}
