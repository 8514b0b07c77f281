import type { Page } from '@playwright/test';

import {
  matchCount,
  palette,
  rows,
  runFromPalette,
  signIn,
  signInHere,
  statusLine,
  table,
  toasts,
} from './support/console.ts';
import { enter, press } from './support/keyboard.ts';
import { getPerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Returns everything that the browser stores for this site. */
async function readStoredSession(page: Page): Promise<string> {
  return page.evaluate(async () =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await caches.keys(), document.cookie]),
  );
}

/** Waits for the rows and returns their device numbers. */
async function readVisibleNumbers(page: Page): Promise<string[]> {
  await expect(rows(page, 'Devices').first().getByRole('gridcell').nth(3)).not.toBeEmpty();
  return rows(page, 'Devices').getByRole('gridcell').nth(2).allInnerTexts();
}

const sessionBand = (page: Page, name: string) => page.getByRole('complementary', { name: `Acting for ${name}` });

/** Types `o`, some letters, and Enter, then the reason, if any, without waiting for its prompt. */
async function startSession(page: Page, letters: string, name: string, reason?: string): Promise<void> {
  await press(page, 'o');
  await enter(page, letters);
  if (reason !== undefined) await enter(page, reason);
  await expect(page.getByRole('button', { name: `acting for ${name}` })).toBeVisible();
}

async function endSession(page: Page, name: string, id: string): Promise<void> {
  await page.goto(`/devices?organization=${id}`);
  await expect(page.getByRole('button', { name: `acting for ${name}` })).toBeVisible();
  await press(page, 'Shift+O');
  await expect(page.getByRole('button', { name: /^Quarterdeck Operations/ })).toBeVisible();
}

test('support staff open one of 600 organizations with a few keys', async ({ page }) => {
  await signIn(page, 'support');
  // A failed attempt leaves its support sessions open.
  if (test.info().retry > 0) await endSession(page, 'Bluewater Drilling', 'bluewater-drilling');
  await press(page, 'g o 2');
  await expect(matchCount(page)).toHaveText(/^6\d\d organizations$/);
  await press(page, 'g d');
  await expect(page.getByRole('button', { name: /^Quarterdeck Operations/ })).toBeVisible();

  await startSession(page, 'blu', 'Bluewater Drilling', 'ticket 4711');
  await expect(page).toHaveURL(/\?organization=bluewater-drilling$/);
  await expect(page).toHaveTitle(/Bluewater Drilling/);
  const hue = await page.getByRole('banner').evaluate((strip) => getComputedStyle(strip).getPropertyValue('--org-hue'));
  const first = await readVisibleNumbers(page);
  expect(first.length).toBeGreaterThan(0);

  await test.step('is read-only until changes are allowed', async () => {
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('Read only');
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('ticket 4711');
    await expect(sessionBand(page, 'Bluewater Drilling').getByRole('timer')).toHaveText(/^(59:\d\d|1:00:00)$/);
    await press(page, 'x t');
    await expect(toasts(page)).toContainText('support allow-changes');
    await page.goto('/developer-tools/parsers/create?organization=bluewater-drilling');
    await expect(page.getByRole('group', { name: 'Save', exact: true })).toContainText('support allow-changes');
    await page.goto('/devices?organization=bluewater-drilling');
    await readVisibleNumbers(page);
    await runFromPalette(page, '> support allow', 'Allow changes in this support session');
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('Changes allowed');
  });

  await test.step('every plan names the organization', async () => {
    await press(page, 't');
    await page.keyboard.type('Seen by support');
    await expect(palette(page).getByRole('region', { name: 'Plan' })).toContainText('in Bluewater Drilling');
    await press(page, 'Escape');
  });

  await test.step('another organization shows nothing from the first', async () => {
    await startSession(page, 'hal', 'Halvorsen Drilling', 'ticket 4712');
    await expect(sessionBand(page, 'Halvorsen Drilling')).toContainText('Read only');
    await expect(page).toHaveURL(/\?organization=halvorsen-drilling$/);
    await expect(statusLine(page)).not.toContainText('selected');
    const second = await readVisibleNumbers(page);
    expect(second.filter((number) => first.includes(number))).toEqual([]);
    for (const number of first) {
      await expect(page.getByText(number)).toHaveCount(0);
      expect(await readStoredSession(page)).not.toContain(number);
    }
    const secondHue = await page
      .getByRole('banner')
      .evaluate((strip) => getComputedStyle(strip).getPropertyValue('--org-hue'));
    expect(secondHue).not.toBe(hue);
  });

  await test.step('nothing is cached, so going back shows no rows if the server is unreachable', async () => {
    await page.route('**/hiber.modem.ModemService/List', (route) => route.abort());
    await startSession(page, 'blu', 'Bluewater Drilling');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    for (const number of first) await expect(page.getByText(number)).toHaveCount(0);
    await page.unroute('**/hiber.modem.ModemService/List');
  });

  await test.step('the audit log lists each support session with its organization, reason, and calls', async () => {
    await runFromPalette(page, '> support audit', 'Audit all support sessions');
    const sessions = rows(page, 'Support sessions');
    await expect(sessions.filter({ hasText: 'ticket 4711' }).first()).toContainText('Read and write');
    await expect(sessions.filter({ hasText: 'ticket 4712' }).first()).toContainText('Read only');
    await press(page, 'j Enter }');
    await expect(page.getByRole('list', { name: 'Calls' })).toContainText('ModemService.List');
    await press(page, 'Escape g d');
    await expect(page).toHaveURL(/\/devices\?organization=bluewater-drilling$/);
  });

  await test.step('ignores a reason typed while a session is still open', async () => {
    const url = new URL(page.url());
    await press(page, 'o');
    await enter(page, 'blu');
    await enter(page, '2 x t');
    await expect(palette(page)).toBeHidden();
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('ticket 4711');
    await expect(statusLine(page)).not.toContainText('selected');
    expect(new URL(page.url()).searchParams.get('filter')).toBe(url.searchParams.get('filter'));
    // For a moment, keys still count as part of the reason.
    await expect(async () => {
      await press(page, '?');
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible({ timeout: 500 });
    }).toPass();
    await press(page, 'Escape');
  });

  await test.step('returning and acting again without a pause starts a new session with its own reason', async () => {
    await press(page, 'Shift+O');
    await startSession(page, 'blu', 'Bluewater Drilling', 'ticket 4713');
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('ticket 4713');
    await expect(sessionBand(page, 'Bluewater Drilling')).toContainText('Read only');
  });

  await press(page, 'Shift+O');
  await expect(page.getByRole('button', { name: /^Quarterdeck Operations/ })).toBeVisible();
  await expect(page).toHaveURL((url) => !url.searchParams.has('organization'));
});

test('opening the URL of an inaccessible organization shows an error and keeps the view', async ({ page }) => {
  await signIn(page, 'operator');
  await page.goto('/devices?organization=quarterdeck');
  await expect(toasts(page)).toContainText("You don't have access to organization “quarterdeck”.");
  await expect(page).toHaveURL(/\/devices$/);
  await expect(matchCount(page)).toHaveText('2,000 devices');
  await expect(page.getByRole('button', { name: /^Northwind Energy/ })).toBeVisible();
});

test('signing in opens the requested URL in the organization that it names', async ({ page }) => {
  await page.goto('/devices?organization=bluewater-drilling&filter=type:SENSOR');
  await signInHere(page, 'support');
  await expect(page.getByRole('button', { name: 'acting for Bluewater Drilling' })).toBeVisible();
  await expect(page).toHaveURL(/\/devices\?.*filter=type:SENSOR/);
  await expect(table(page, 'Devices')).toBeVisible();
});

test('a user without an organization sees how to join one', async ({ page }) => {
  const { email } = getPerson('newcomer');
  await page.goto('/');
  await signInHere(page, 'newcomer');
  await expect(page.getByRole('heading', { name: 'Join an organization' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Screens' })).toHaveCount(0);
  await runFromPalette(page, 'sign out', 'Sign out');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(page.getByText(email)).toHaveCount(0);
});
