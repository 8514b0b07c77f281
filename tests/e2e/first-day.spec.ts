import type { Browser, Page } from '@playwright/test';

import { palette, signInHere, statusLine } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const tour = (page: Page) => page.getByRole('dialog', { name: 'The keys to start with' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

/** Signs in as the viewer, in a browser without stored data. */
async function signInWithFreshBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const page = await context.newPage();
  await page.goto('/');
  await signInHere(page, 'viewer');
  await expect(statusLine(page).getByText('live', { exact: true })).toBeVisible();
  return page;
}

/** Checks that the tour is not open, by opening the list of keys, which the tour would block. */
async function expectNoTour(page: Page): Promise<void> {
  await press(page, '?');
  await expect(sheet(page)).toBeVisible();
  await expect(tour(page)).toHaveCount(0);
  await press(page, 'Escape');
}

test("teaches a new user five keys and doesn't repeat the tour in another browser", async ({ browser, baseURL }) => {
  const page = await signInWithFreshBrowser(browser, baseURL);
  await expect(tour(page).getByRole('listitem')).toHaveCount(5);
  for (const keys of ['j', 'x', 'g d', 'Control+k', '?']) await press(page, keys);
  await expect(tour(page).getByRole('button', { name: 'Start' })).toBeFocused();
  await press(page, 'Enter');
  await expect(tour(page)).toHaveCount(0);
  await expectNoTour(page);
  await page.context().close();

  const secondPage = await signInWithFreshBrowser(browser, baseURL);
  await expectNoTour(secondPage);
  await press(secondPage, 'Control+k');
  await secondPage.keyboard.type('help tour');
  await expect(palette(secondPage).getByRole('option', { selected: true })).toContainText('Learn the keys');
  await press(secondPage, 'Enter');
  await expect(tour(secondPage)).toBeVisible();
  await press(secondPage, 'Escape');
  await expect(tour(secondPage)).toHaveCount(0);
  await secondPage.context().close();
});
