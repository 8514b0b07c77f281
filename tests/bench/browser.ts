import { chromium, type Page } from '@playwright/test';

import { demoPeople } from '#server/demo/seed/people.ts';
import { ensureBrowser } from '#tests/browser.mjs';
import { SKIP_TOUR } from '#tests/e2e/support/tour.ts';

/** Opens a page in its own headless Chromium and closes it afterwards. */
export async function withBrowserPage<Result>(task: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({ executablePath: ensureBrowser() });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript({ content: SKIP_TOUR });
    return await task(page);
  } finally {
    await browser.close();
  }
}

/** Signs in with the password and returns the bearer token that the console then uses. */
export async function signIn(page: Page, address: string): Promise<string> {
  const [person] = demoPeople;
  if (!person) throw new Error('The demo has no user to sign in as.');
  await page.goto(address);
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  const firstRequest = page.waitForRequest((request) => 'authorization' in request.headers());
  await page.keyboard.press('Enter');
  const request = await firstRequest;
  // The console offers a second factor once per browser.
  await page.getByRole('button', { name: 'Not now' }).click();
  return (request.headers()['authorization'] ?? '').replace(/^bearer /i, '');
}
