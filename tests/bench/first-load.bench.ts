import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import type { Bench, Row } from './bench.ts';
import { signIn, withBrowserPage } from './browser.ts';
import { withServer } from './server.ts';

/** KB (of 1000 bytes) of script, compressed, that may travel before a person can do something. */
const BUDGET = 260;

/** How many times an empty React page the first screens may weigh. */
const FORM = 3.2;
const ROWS = 4.1;

/** What either first screen is there for: a field to type in, rows with something in them. */
const SHOWN = 'input[name=email], [role=row][aria-rowindex]:not([aria-rowindex="1"]):not(.qd-loading)';

/** KB of a page that has React and nothing else: what no screen can go below. */
async function emptyPage(): Promise<number> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, rolldownOptions: { input: 'tests/bench/first-load/empty.tsx' } },
  })) as Rolldown.RolldownOutput;
  const codes = output.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  return codes.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0) / 1000;
}

/** Marks the moment from which it is on the page. Runs in the page. */
function markShown(selector: string): void {
  new MutationObserver((_, observer) => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    performance.mark('shown');
  }).observe(document, { childList: true, subtree: true, attributes: true });
}

/** KB of the scripts that were asked for until it was there. Runs in the page. */
function scriptsUntilShown(): number {
  const shown = performance.getEntriesByName('shown')[0]?.startTime ?? 0;
  const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  const sizes = files
    .filter(({ name, startTime }) => name.endsWith('.js') && startTime < shown)
    .map(({ name, encodedBodySize }) => [name, encodedBodySize] as const);
  return [...new Map(sizes).values()].reduce((sum, size) => sum + size, 0) / 1000;
}

/** Opens the console. From a cache or not, a script's size is the same. */
async function weigh(page: Page, address: string): Promise<number> {
  await page.goto(address);
  await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0);
  // The page knows a script's size once it has come: those under way at that moment have come by then.
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
        const form = await weigh(page, address);
        const token = await signIn(page, address);
        const password = await weigh(page, address);
        await page.evaluate((text) => window.localStorage.setItem('local-auth-token', text), token);
        const rows = await weigh(page, address);
        const both = (name: string, value: number, target: number): Row[] => [
          { name: `${name}, to the budget`, unit: 'KB', value, baseline: BUDGET, target: 1 },
          { name: `${name}, to an empty React page`, unit: 'KB', value, baseline: floor, target },
        ];
        return [
          ...both('sign-in form', form, FORM),
          ...both('device rows, signed in by a token', rows, ROWS),
          // The identity provider's SDK comes on top: it holds the session.
          ...both('device rows, signed in by a password', password, ROWS),
        ];
      }),
    ),
};
