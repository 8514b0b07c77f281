import type { Browser, Page } from '@playwright/test';

import { palette, signInHere, statusLine } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

/** The rpc that records in the account that its user has seen the tour. */
const RECORD_RPC = 'hiber.user.CurrentUserService/UpdateMissionControlSettings';

const tour = (page: Page) => page.getByRole('dialog', { name: 'The keys to start with' });
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

/** Makes the viewer a new user again, because an earlier attempt may have shown the tour. */
async function forgetTour(server: string): Promise<void> {
  const { token } = await signInTerminal(server, 'viewer');
  const headers = { authorization: `bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(new URL(RECORD_RPC, server), { method: 'POST', headers, body: '{"update":"{}"}' });
  expect(response.status).toBe(200);
}

/** Opens a page in a browser without stored data. */
async function openFreshBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  return context.newPage();
}

async function signInAsViewer(page: Page): Promise<void> {
  await page.goto('/');
  await signInHere(page, 'viewer');
  await expect(statusLine(page).getByText('live', { exact: true })).toBeVisible();
}

/** Checks that the tour is not open, by opening the list of keys, which the tour would block. */
async function expectNoTour(page: Page): Promise<void> {
  await press(page, '?');
  await expect(sheet(page)).toBeVisible();
  await expect(tour(page)).toHaveCount(0);
  await press(page, 'Escape');
}

/** Keys as long as they can get. */
const LONG_KEYS = {
  'view.next-row': ['$mod+Alt+Shift+ArrowDown'],
  'device.list': ['$mod+Shift+PageDown $mod+Shift+PageUp Alt+Shift+PageDown Alt+Shift+PageUp'],
};

test('keeps the names of screens and steps readable beside long keys', async ({ browser, baseURL }) => {
  const page = await openFreshBrowser(browser, baseURL);
  await page.addInitScript((keys) => localStorage.setItem('quarterdeck-keys', keys), JSON.stringify(LONG_KEYS));
  await signInAsViewer(page);
  const devices = page.getByRole('navigation').getByText('Devices', { exact: true });
  expect((await devices.boundingBox())?.width).toBeGreaterThan(40);
  if (await tour(page).isHidden()) {
    await press(page, 'Control+k');
    await page.keyboard.type('help tour');
    await press(page, 'Enter');
  }
  const step = tour(page).getByRole('listitem').filter({ hasText: 'Go to a screen' });
  const [keys, text] = await Promise.all([
    step.locator('kbd').boundingBox(),
    step.getByText('Go to a screen').boundingBox(),
  ]);
  expect(keys!.x + keys!.width).toBeLessThan(text!.x);
  expect(text!.width).toBeGreaterThan(100);
  await page.context().close();
});

test("teaches a new user five keys and doesn't repeat the tour in another browser", async ({ browser, baseURL }) => {
  await forgetTour(baseURL ?? '');
  const page = await openFreshBrowser(browser, baseURL);
  const record = page.waitForResponse(`**/${RECORD_RPC}`);
  await signInAsViewer(page);
  await expect(tour(page).getByRole('listitem')).toHaveCount(5);
  for (const keys of ['j', 'x', 'g d', 'Control+k', '?']) await press(page, keys);
  await expect(tour(page).getByRole('button', { name: 'Start' })).toBeFocused();
  await press(page, 'Enter');
  await expect(tour(page)).toHaveCount(0);
  await expectNoTour(page);
  // A browser that closes before its server has answered, which a busy server does late, may not record the tour.
  expect((await record).status()).toBe(200);
  await page.context().close();

  const secondPage = await openFreshBrowser(browser, baseURL);
  await signInAsViewer(secondPage);
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
