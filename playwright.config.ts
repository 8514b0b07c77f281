import { createServer, type AddressInfo } from 'node:net';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/browser.mjs';

/** A port nobody listens on now. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

// Playwright's workers read this file again, with the environment of the first reading.
const port = (process.env.QUARTERDECK_E2E_PORT ??= String(await freePort()));
const address = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: process.env.CI !== undefined,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI === undefined ? 'list' : 'line',
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findBrowser() },
    trace: 'retain-on-failure',
  },
  // The built server on data of its own, thrown away afterwards.
  webServer: {
    command: `node tests/e2e/serve.mjs --port ${port}`,
    url: address,
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});
