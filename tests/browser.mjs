// Finds the browsers for the end-to-end tests and the benchmarks, and installs Chromium if it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

import { chromium } from '@playwright/test';

/** Debian's package of the headless shell, which has no user interface and needs less CPU. */
const shells = ['chromium-headless-shell'];
const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const firefoxes = ['firefox', 'firefox-esr'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const MAC_FIREFOX = '/Applications/Firefox.app/Contents/MacOS/firefox';

/**
 * Finds a program on the PATH.
 *
 * @param {readonly string[]} names the names to look for, in order of preference
 * @param {string} fallback a path outside the PATH
 * @returns {string | undefined} a path that exists
 */
function findInstalled(names, fallback) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return [...onPath, fallback].find((path) => existsSync(path));
}

/**
 * Reads the path of a browser from the environment.
 *
 * @param {readonly string[]} variables the names of the variables, in order of preference
 * @returns {string | undefined} undefined if none is set
 * @throws Error if the path does not exist
 */
function fromEnvironment(variables) {
  const path = variables.map((variable) => process.env[variable]).find((value) => value !== undefined);
  if (path !== undefined && !existsSync(path))
    throw new Error(`${variables.join(' or ')} is set to ${path}, which does not exist.`);
  return path;
}

/**
 * Finds Chromium in the environment, Playwright's downloads, or the system.
 *
 * @param {{ shell?: boolean }} [options] `shell` prefers the headless shell
 * @returns {string | undefined} the path of its executable
 */
export function findBrowser({ shell = false } = {}) {
  const configuredPath = fromEnvironment(['QUARTERDECK_CHROMIUM', 'CHROME_PATH']);
  if (configuredPath !== undefined) return configuredPath;
  const bundledPath = chromium.executablePath();
  return existsSync(bundledPath) ? bundledPath : findInstalled([...(shell ? shells : []), ...chromiums], MAC_CHROME);
}

/**
 * Finds Firefox in the environment or the system.
 *
 * @returns {string | undefined} the path of its executable
 */
export function findFirefox() {
  return fromEnvironment(['QUARTERDECK_FIREFOX']) ?? findInstalled(firefoxes, MAC_FIREFOX);
}

/** Explains how to provide Firefox. */
export const NO_FIREFOX =
  'Firefox was not found. Install it (Debian: apt-get install firefox-esr), or set QUARTERDECK_FIREFOX to the path of ' +
  'its executable.';

/**
 * Runs a program and returns whether it succeeded.
 *
 * @param {string} program
 * @param {string[]} args
 */
const runSucceeds = (program, ...args) =>
  spawnSync(program, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status ===
  0;

/**
 * Finds Chromium and installs it if necessary.
 *
 * @param {{ shell?: boolean }} [options] as for {@link findBrowser}
 * @returns {string} the path of its executable
 * @throws Error if neither Playwright nor Debian's packages provide Chromium; the message names the command to run
 */
export function ensureBrowser(options = {}) {
  const existing = findBrowser(options);
  if (existing !== undefined) return existing;
  const isInstalled =
    runSucceeds(process.execPath, 'node_modules/@playwright/test/cli.js', 'install', 'chromium') ||
    (process.getuid?.() === 0 &&
      runSucceeds('apt-get', 'update') &&
      ((options.shell === true && runSucceeds('apt-get', 'install', '-y', ...shells)) ||
        runSucceeds('apt-get', 'install', '-y', 'chromium')));
  const path = isInstalled ? findBrowser(options) : undefined;
  if (path !== undefined) return path;
  throw new Error(
    'Chromium was not found. Run "npx playwright install --with-deps chromium", or install Chromium or Chrome and set ' +
      'QUARTERDECK_CHROMIUM to the path of its executable.',
  );
}
