// Finds a Chromium for the end-to-end tests and the benchmarks, and fetches one where there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { chromium } from '@playwright/test';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** @returns {string | undefined} path of an executable: one named by the environment, Playwright's, the system's */
export function findBrowser() {
  const named = process.env.QUARTERDECK_CHROMIUM ?? process.env.CHROME_PATH;
  if (named !== undefined) {
    if (!existsSync(named))
      throw new Error(`QUARTERDECK_CHROMIUM or CHROME_PATH names ${named}, which does not exist.`);
    return named;
  }
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, macChrome].find((path) => existsSync(path));
}

/** @param {string} program @param {string[]} args */
const succeeds = (program, ...args) =>
  spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0;

/** @returns {string} @throws {Error} where neither Playwright nor Debian's packages give one: names the command */
export function ensureBrowser() {
  const present = findBrowser();
  if (present !== undefined) return present;
  const fetched =
    succeeds(process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium') ||
    (process.getuid?.() === 0 && succeeds('apt-get', 'update') && succeeds('apt-get', 'install', '-y', 'chromium'));
  const found = fetched ? findBrowser() : undefined;
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium for the end-to-end tests: run "npx playwright install --with-deps chromium", or install ' +
      'Chromium or Chrome and name its executable in QUARTERDECK_CHROMIUM.',
  );
}
