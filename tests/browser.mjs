// Finds the browsers for the end-to-end tests and the benchmarks, and installs Chromium on a machine without it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { chromium } from '@playwright/test';

/** Debian's build of the headless shell that Playwright runs: it has no user interface, and needs less CPU. */
const shells = ['chromium-headless-shell'];
const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const firefoxes = ['firefox', 'firefox-esr'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const MAC_FIREFOX = '/Applications/Firefox.app/Contents/MacOS/firefox';

/** @param {readonly string[]} names of programs @param {string} fallback a path @returns {string | undefined} */
function findInstalled(names, fallback) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, fallback].find((path) => existsSync(path));
}

/**
 * @param {readonly string[]} variables of the environment
 * @returns {string | undefined} the path in the first variable that is set
 */
function fromEnvironment(variables) {
  const path = variables.map((variable) => process.env[variable]).find((value) => value !== undefined);
  if (path !== undefined && !existsSync(path))
    throw new Error(`${variables.join(' or ')} names ${path}, which does not exist.`);
  return path;
}

/**
 * @param {{ shell?: boolean }} [options] `shell` prefers the headless shell, which renders no window
 * @returns {string | undefined} the path of an executable from the environment, Playwright or the system
 */
export function findBrowser({ shell = false } = {}) {
  const configured = fromEnvironment(['QUARTERDECK_CHROMIUM', 'CHROME_PATH']);
  if (configured !== undefined) return configured;
  const bundled = chromium.executablePath();
  return existsSync(bundled) ? bundled : findInstalled([...(shell ? shells : []), ...chromiums], MAC_CHROME);
}

/** @returns {string | undefined} the path of a Firefox from the environment or the system */
export function findFirefox() {
  return fromEnvironment(['QUARTERDECK_FIREFOX']) ?? findInstalled(firefoxes, MAC_FIREFOX);
}

/** The message for a machine without Firefox. */
export const NO_FIREFOX =
  'no Firefox here. Install it (Debian: apt-get install firefox-esr), or name its executable in QUARTERDECK_FIREFOX.';

/** @param {string} program @param {string[]} args */
const succeeds = (program, ...args) =>
  spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0;

/**
 * @param {{ shell?: boolean }} [options] as for {@link findBrowser}
 * @returns {string}
 * @throws {Error} if neither Playwright nor Debian's packages provide Chromium; the message names the command to run
 */
export function ensureBrowser(options = {}) {
  const present = findBrowser(options);
  if (present !== undefined) return present;
  const fetched =
    succeeds(process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium') ||
    (process.getuid?.() === 0 &&
      succeeds('apt-get', 'update') &&
      ((options.shell === true && succeeds('apt-get', 'install', '-y', ...shells)) ||
        succeeds('apt-get', 'install', '-y', 'chromium')));
  const installed = fetched ? findBrowser(options) : undefined;
  if (installed !== undefined) return installed;
  throw new Error(
    'No Chromium for the end-to-end tests: run "npx playwright install --with-deps chromium", or install ' +
      'Chromium or Chrome and name its executable in QUARTERDECK_CHROMIUM.',
  );
}
