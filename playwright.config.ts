import { defineConfig } from '@playwright/test';

import { findBrowser } from './tests/browser.mjs';
import { address, webServers } from './tests/e2e/web-server.ts';

/** One worker leaves a third of two processors idle: a test often waits for the screen. */
const WORKERS = 2;
const webServer = await webServers(WORKERS);

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  forbidOnly: process.env.CI !== undefined,
  workers: WORKERS,
  retries: process.env.CI === undefined ? 0 : 1,
  globalTimeout: 35 * 60_000,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI === undefined ? 'list' : 'line',
  use: {
    baseURL: address(),
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findBrowser({ shell: true }) },
    // Transitions cost a dozen frames each, drawn by the processor here; no test is about them.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test takes a quarter of the time; what failed is told by its page as well.
    trace: process.env.CI === undefined ? 'retain-on-failure' : 'off',
  },
  webServer,
});
