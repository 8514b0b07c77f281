import { fileURLToPath } from 'node:url';
import { freePort } from '#server/launch/free-port.mjs';

// Playwright's workers read this file again, with the environment of the first reading.
const port = (process.env['QUARTERDECK_E2E_PORT'] ??= String(await freePort()));

export const address = `http://127.0.0.1:${port}`;

/**
 * The built server on data of its own, thrown away afterwards. Its fleet is lively, so what waits for a message need
 * not wait long.
 */
export const webServer = {
  command: `node tests/e2e/serve.mjs --port ${port} --rate 20`,
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  url: address,
  timeout: 120_000,
  stdout: 'pipe',
  gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
} as const;
