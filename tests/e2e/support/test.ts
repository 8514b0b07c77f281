import {
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type ViewportSize,
} from '@playwright/test';

import { SKIP_TOUR } from './tour.ts';

/** The contexts of this worker, keyed by the options that tests set. */
const contexts = new Map<string, BrowserContext>();

/** Opens a browser context where everyone has already seen the tour. */
export async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript({ content: SKIP_TOUR });
  return context;
}

/**
 * Empties a page for the next test. The page keeps its process and what it has compiled.
 *
 * @returns false if the page is closed
 */
async function reset(page: Page, viewport: ViewportSize | null): Promise<boolean> {
  if (page.isClosed()) return false;
  page.removeAllListeners('dialog');
  // A form with changes asks for confirmation before the user leaves it.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
  // The console stores unsaved work when the user leaves.
  await page.goto('/assets/none');
  await page.evaluate(() => sessionStorage.clear());
  page.removeAllListeners('dialog');
  await page.emulateMedia({ colorScheme: null });
  if (viewport) await page.setViewportSize(viewport);
  return true;
}

/**
 * Playwright's test, except that a worker's tests share a browser context and its first page, which are emptied after
 * each test. A new page would reload and recompile the console, which is half of the work of opening it.
 */
export const test = base.extend({
  context: async ({ browser, baseURL, colorScheme, contextOptions, permissions, viewport }, provide) => {
    const key = JSON.stringify([colorScheme, permissions]);
    const options = { ...contextOptions, baseURL, colorScheme, permissions, viewport };
    const context = contexts.get(key) ?? (await newContext(browser, options));
    contexts.set(key, context);
    await provide(context);
    const [first, ...others] = context.pages();
    await Promise.all(others.map((page) => page.close()));
    if (first && !(await reset(first, viewport ?? null))) await first.close();
    await context.setOffline(false);
    await context.setStorageState({ cookies: [], origins: [] });
  },
  page: async ({ context }, provide) => {
    await provide(context.pages()[0] ?? (await context.newPage()));
  },
});

export { expect } from './expect.ts';
