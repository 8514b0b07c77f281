import { expect, test as base, type BrowserContext } from '@playwright/test';

/** The contexts of this worker, by the options that tests set. */
const contexts = new Map<string, BrowserContext>();

/**
 * Playwright's test, except that the tests of a worker share a browser context, emptied after each test. A new context
 * would load and compile the console anew: a third of the work of opening a page.
 */
export const test = base.extend({
  context: async ({ browser, baseURL, colorScheme, contextOptions, permissions, viewport }, provide) => {
    const key = JSON.stringify([colorScheme, permissions]);
    const options = { ...contextOptions, baseURL, colorScheme, permissions, viewport };
    const context = contexts.get(key) ?? (await browser.newContext(options));
    contexts.set(key, context);
    await provide(context);
    await Promise.all(context.pages().map((page) => page.close()));
    await context.setOffline(false);
    await context.setStorageState({ cookies: [], origins: [] });
  },
});

export { expect };
