import { expect, test as base, type Browser, type BrowserContext, type BrowserContextOptions } from '@playwright/test';

import { SKIP_TOUR } from './tour.ts';

/** The contexts of this worker, by the options that tests set. */
const contexts = new Map<string, BrowserContext>();

/** Opens a browser context where everyone has already seen the tour. */
export async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript({ content: SKIP_TOUR });
  return context;
}

/**
 * Playwright's test, except that a worker's tests share a browser context, emptied after each test. A new context
 * would reload and recompile the console, which is a third of the work of opening a page.
 */
export const test = base.extend({
  context: async ({ browser, baseURL, colorScheme, contextOptions, permissions, viewport }, provide) => {
    const key = JSON.stringify([colorScheme, permissions]);
    const options = { ...contextOptions, baseURL, colorScheme, permissions, viewport };
    const context = contexts.get(key) ?? (await newContext(browser, options));
    contexts.set(key, context);
    await provide(context);
    await Promise.all(context.pages().map((page) => page.close()));
    await context.setOffline(false);
    await context.setStorageState({ cookies: [], origins: [] });
  },
});

export { expect };
