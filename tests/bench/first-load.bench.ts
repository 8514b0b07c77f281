import { gzipSync } from 'node:zlib';

import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';

import { measureInTurn, percentile, type Bench, type Row } from './bench.ts';
import { signIn, withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';
import { withPage } from './static-page.ts';

/** KB (of 1000 bytes) of compressed script that may load before a first screen is usable. */
const BUDGETS = { form: 180, token: 260, password: 300 } as const;

/** The maximum time to the first rows on a slow connection, as a multiple of an empty React page. */
const MAX_TIME_RATIO = 3.5;
const ROUNDS = 7;
const WARMUP = 1;

/** 4G as the browser's developer tools emulate it. */
const SLOW_4G = { offline: false, latency: 165, downloadThroughput: 1_012_500, uploadThroughput: 168_750 } as const;
/** The factor that slows the processor down to that of a phone. */
const SLOWDOWN = 4;

const ROWS = '[role=row][aria-rowindex]:not([aria-rowindex="1"]):not(.qd-loading)';
/**
 * Matches when a first screen is usable: a field to type in, or rows with content. Also matches the text of the empty
 * page.
 */
const USABLE = `input[name=email], ${ROWS}, body > p`;

/** Builds the script of a page that contains only React, as a baseline for every screen. */
async function buildEmptyPage(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: 'tests/bench/first-load/empty.tsx' } },
  })) as Rolldown.RolldownOutput;
  return output.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])).join('\n');
}

/** Marks the moment when the element appears. Runs in the page. */
function markShown(selector: string): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    performance.mark('shown');
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

/** Measures the KB of the scripts requested before the element appeared. Runs in the page. */
function scriptsUntilShown(): number {
  const visibleAt = performance.getEntriesByName('shown')[0]?.startTime ?? 0;
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const sizes = files
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < visibleAt)
    .map(({ name, encodedBodySize }) => [name, encodedBodySize] as const);
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0) / 1000;
}

async function show(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0, undefined, { timeout: 60_000 });
}

/** Opens the console. The size of a script is the same with or without a cache. */
async function measureScripts(page: Page, address: string): Promise<number> {
  await show(page, address);
  // A script's size is available only after loading, so wait for the scripts in flight.
  await page.waitForTimeout(1000);
  return page.evaluate(scriptsUntilShown);
}

/**
 * Measures the milliseconds from the address to the first rows, on a slow connection without a cache, compared with the
 * empty page.
 */
async function measureFirstRows(page: Page, address: string, empty: string): Promise<Row> {
  const devtools = await page.context().newCDPSession(page);
  /**
   * Clears the cache instead of disabling it because the console downloads modules into the cache before importing
   * them.
   */
  const showUncached = async (url: string): Promise<void> => {
    await devtools.send('Network.clearBrowserCache');
    await show(page, url);
  };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  const times = await withPage(empty, (emptyAddress) =>
    measureInTurn({ rows: () => showUncached(address), empty: () => showUncached(emptyAddress) }, ROUNDS, WARMUP),
  );
  await devtools.detach();
  return {
    name: 'address to first rows on 4G with a slow processor p50 vs an empty React page',
    unit: 'ms',
    value: percentile(times.rows, 50),
    baseline: percentile(times.empty, 50),
    target: MAX_TIME_RATIO,
  };
}

export const bench: Bench = {
  title: 'First load: compressed script until the first screen appears; time on a slow connection',
  run: () =>
    withServer(['--devices', '200', '--rate', '0'], (address) =>
      withBrowserPage(async (page) => {
        const empty = await buildEmptyPage();
        const baseline = gzipSync(empty, { level: 9 }).length / 1000;
        await page.addInitScript(markShown, USABLE);
        const form = await measureScripts(page, address);
        const token = await signIn(page, address);
        const password = await measureScripts(page, address);
        await page.evaluate((text) => window.localStorage.setItem('local-auth-token', text), token);
        const rows = await measureScripts(page, address);
        const scriptRows = (name: string, value: number, budget: number): Row[] => [
          { name: `${name} vs the budget`, unit: 'KB', value, baseline: budget, target: 1 },
          // The same budget, as a multiple of the empty page.
          { name: `${name} vs an empty React page`, unit: 'KB', value, baseline, target: multipleOf(budget) },
        ];
        return [
          ...scriptRows('sign-in form', form, BUDGETS.form),
          ...scriptRows('device rows, signed in with a token', rows, BUDGETS.token),
          // Includes the identity provider's SDK, which holds the session.
          ...scriptRows('device rows, signed in with a password', password, BUDGETS.password),
          await measureFirstRows(page, address, empty),
        ];

        function multipleOf(budget: number): number {
          return Math.round((budget / baseline) * 100) / 100;
        }
      }),
    ),
};
