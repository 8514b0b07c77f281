import { defineConfig } from '@playwright/test';

import { findBrowser } from './tests/browser.mjs';
import { address, webServer } from './tests/e2e/web-server.ts';

/** With only one worker, two processors would be idle a third of the time while tests wait for the screen. */
const WORKERS = 2;

export default defineConfig({
  testDir: 'tests/e2e',
  // Use a separate folder because the Firefox tests run at the same time.
  outputDir: 'test-results/chromium',
  forbidOnly: process.env.CI !== undefined,
  workers: WORKERS,
  retries: process.env.CI === undefined ? 0 : 1,
  globalTimeout: 35 * 60_000,
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI === undefined ? 'list' : 'line',
  use: {
    baseURL: address(),
    viewport: { width: 1440, height: 900 },
    launchOptions: { executablePath: findBrowser({ shell: true }) },
    // Each transition takes a dozen frames, which the CPU renders here, and no test covers transitions.
    contextOptions: { reducedMotion: 'reduce' },
    // CI records no traces, because they take a quarter of the run time and a failure reports the page's state anyway.
    trace: process.env.CI === undefined ? 'retain-on-failure' : 'off',
  },
  webServer: await webServer(WORKERS),
});
