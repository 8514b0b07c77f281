import { gzipSync } from 'node:zlib';

import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';

import type { Bench, Row } from './bench.ts';
import { signIn, withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';

/** KB (of 1000 bytes) of compressed script that may load before the page is usable. */
const BUDGET = 260;

/** The maximum size of the first screens, as a multiple of an empty React page. */
const FORM = 3.2;
const ROWS = 4.1;

/** The purpose of either first screen: a field to type in, or rows with content. */
const SHOWN = 'input[name=email], [role=row][aria-rowindex]:not([aria-rowindex="1"]):not(.qd-loading)';

/** KB of a page with React and nothing else: the lower bound for any screen. */
async function emptyPage(): Promise<number> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: 'tests/bench/first-load/empty.tsx' } },
  })) as Rolldown.RolldownOutput;
  const codes = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  return codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
}

/** Marks the moment at which the element appears. Runs in the page. */
function markShown(selector: string): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    performance.mark('shown');
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

/** KB of the scripts requested before it appeared. Runs in the page. */
function scriptsUntilShown(): number {
  const visibleAt = performance.getEntriesByName('shown')[0]?.startTime ?? 0;
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const sizes = files
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < visibleAt)
    .map(({ name, encodedBodySize }) => [name, encodedBodySize] as const);
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0) / 1000;
}

/** Opens the console. The size of a script is the same with or without a cache. */
async function measureScripts(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0);
  // The page knows a script's size only once loaded; by now those in flight have been.
  await page.waitForTimeout(1000);
  return page.evaluate(scriptsUntilShown);
}

export const bench: Bench = {
  title: 'First load: script, compressed, until the first screen is there',
  run: () =>
    withServer(['--devices', '200', '--rate', '0'], (address) =>
      withBrowserPage(async (page) => {
        const floor = await emptyPage();
        await page.addInitScript(markShown, SHOWN);
        const form = await measureScripts(page, address);
        const token = await signIn(page, address);
        const password = await measureScripts(page, address);
        await page.evaluate((text) => window.localStorage.setItem('local-auth-token', text), token);
        const rows = await measureScripts(page, address);
        const both = (name: string, value: number, target: number): Row[] => [
          { name: `${name}, to the budget`, unit: 'KB', value, baseline: BUDGET, target: 1 },
          { name: `${name}, to an empty React page`, unit: 'KB', value, baseline: floor, target },
        ];
        return [
          ...both('sign-in form', form, FORM),
          ...both('device rows, signed in by a token', rows, ROWS),
          // The identity provider's SDK comes on top, because it holds the session.
          ...both('device rows, signed in by a password', password, ROWS),
        ];
      }),
    ),
};
