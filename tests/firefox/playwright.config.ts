import { defineConfig } from '@playwright/test';
import { webServer } from '#tests/e2e/web-server.ts';

/**
 * The runner is Playwright's and the browser is not: its Firefox is a build of its own, while people use the one of
 * their system.
 */
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
  webServer,
});
