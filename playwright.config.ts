import { defineConfig } from '@playwright/test';
import { freePort } from './server/launch/free-port.mjs';
import { findBrowser } from './tests/browser.mjs';

// Playwright's workers read this file again, with the environment of the first reading.
const port = (process.env.QUARTERDECK_E2E_PORT ??= String(await freePort()));
const address = `http://127.0.0.1:${port}`;

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: process.env.CI !== undefined,
  workers: 1,
  globalTimeout: 25 * 60_000,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI === undefined ? 'list' : 'line',
  use: {
    baseURL: address,
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findBrowser() },
    trace: 'retain-on-failure',
  },
  // The built server on data of its own, thrown away afterwards. Its fleet is lively, so that what waits for a message need not wait long.
  webServer: {
    command: `node tests/e2e/serve.mjs --port ${port} --rate 20`,
    url: address,
    timeout: 120_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});
