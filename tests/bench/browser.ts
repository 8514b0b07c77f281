import { chromium, type Page } from '@playwright/test';
import { ensureBrowser } from '../browser.mjs';

/** A page in a headless Chromium of its own, closed afterwards. */
export async function withBrowserPage<Result>(task: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({ executablePath: ensureBrowser() });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    return await task(page);
  } finally {
    await browser.close();
  }
}
