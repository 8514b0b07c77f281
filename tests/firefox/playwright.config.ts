import { defineConfig } from '@playwright/test';

import { webServer } from '#tests/e2e/web-server.ts';

/** Uses Playwright's runner with stock Firefox, which is what users have, not Playwright's patched build. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/firefox',
  forbidOnly: process.env['CI'] !== undefined,
  workers: 1,
  retries: process.env['CI'] === undefined ? 0 : 1,
  globalTimeout: 5 * 60_000,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: process.env['CI'] === undefined ? 'list' : 'line',
  webServer: await webServer(1),
});
