import type { Page } from '@playwright/test';

import { expectFiltered, matchCount, numberIn, rows, signIn } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const DELAY_MS = 2500;

/** Delays responses to matching requests. */
async function delay(page: Page, url: string | RegExp): Promise<void> {
  await page.route(url, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    await route.continue();
  });
}

/** Expects all of the filtered devices to be selected, so the selection was made after the filter was applied. */
async function expectAllSelected(page: Page, filter: string): Promise<void> {
  await expect(page).toHaveURL((url) => url.searchParams.get('filter')?.startsWith(filter) === true);
  await expectFiltered(page);
  const count = numberIn((await matchCount(page).textContent()) ?? '');
  await expect(page.getByRole('toolbar')).toContainText(`${count} selected`);
}

test('keys act in order on the view that an earlier key opens, however late its code loads', async ({ page }) => {
  await signIn(page, 'operator', '/devices');
  const openCold = async (): Promise<void> => {
    await page.goto('/devices');
    await expect(rows(page, 'Devices').first()).toBeVisible();
  };
  await delay(page, /assets\/(filter|view|parser|running|OpenFilterLine)-[^/]*\.js$/);

  await test.step('2 *', async () => {
    await openCold();
    await press(page, '2 *');
    await expectAllSelected(page, 'health:ERROR');
  });

  await test.step('/…Enter *', async () => {
    await openCold();
    await press(page, '/');
    await page.keyboard.type('type:GATEWAY');
    await press(page, 'Enter *');
    await expectAllSelected(page, 'type:GATEWAY');
  });

  await test.step('g t ArrowDown Enter', async () => {
    await delay(page, /assets\/(tag|en)-[^/]*\.js$/);
    await openCold();
    await press(page, 'g t ArrowDown Enter');
    const panel = page.getByRole('article');
    await expect(panel).toBeVisible();
    await expect(panel.getByRole('heading').first()).not.toBeEmpty();
    const name = (await panel.getByRole('heading').first().textContent()) ?? '';
    await expect(rows(page, 'Tags').nth(1)).toContainText(name);
  });
});

test("keys wait while another organization's session loads", async ({ page }) => {
  await signIn(page, 'support', '/devices?organization=northwind');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await delay(page, '**/hiber.user.CurrentUserService/CurrentUser');
  await press(page, 'Shift+O 2 *');
  await expectAllSelected(page, 'health:ERROR');
  expect(new URL(page.url()).searchParams.get('organization')).toBeNull();
});
