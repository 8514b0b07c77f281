import type { Page } from '@playwright/test';

import { palette, plan, runFromPalette, selectedRow, signIn, table, toasts } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const labels = (page: Page) => palette(page).getByRole('option').locator('[data-label]').allInnerTexts();

/** Opens the palette, types with the given delay between keys, and returns the rows once a row is selected. */
async function typeAt(page: Page, text: string, delay: number): Promise<string[]> {
  await press(page, 'Control+k');
  await page.keyboard.type(text, { delay });
  await expect(selectedRow(page)).toHaveCount(1);
  const results = await labels(page);
  await press(page, 'Escape');
  return results;
}

/** Pastes text from another program into the field. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copiedText) => navigator.clipboard.writeText(copiedText), text);
  await press(page, 'Control+v');
}

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('the palette gives the same results at any typing speed', async ({ page }) => {
  await signIn(page, 'administrator');
  // Warms up the server, because the palette places results that arrive after 2.5 s below the others.
  await typeAt(page, 'merlin 8', 120);
  for (const query of ['merlin 8', 'anna', 'logout', 'dark', 'silent', '2fa']) {
    expect(await typeAt(page, query, 0), query).toEqual(await typeAt(page, query, 120));
  }
  const [first] = await typeAt(page, 'merlin 8', 0);
  expect(first).toBe('Merlin 8');

  const number = await page
    .getByRole('gridcell')
    .filter({ hasText: /^[0-9A-F]{4} [0-9A-F]{4}$/ })
    .nth(3)
    .innerText();
  await press(page, 'Control+k');
  await page.keyboard.type(number);
  await press(page, 'Enter');
  await expect(page).toHaveURL((url) => decodeURIComponent(url.search).includes(`device/${number.replace(' ', '+')}`));
});

test('clicking outside the palette or beside its field keeps focus in the field', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.getByRole('button', { name: 'Search or run a command' }).click();
  const field = palette(page).getByRole('combobox');
  await expect(field).toBeFocused();
  await page.mouse.click(5, 500);
  await page.keyboard.type('merlin');
  await expect(field).toHaveValue('merlin');
  await palette(page)
    .getByRole('contentinfo')
    .click({ position: { x: 2, y: 2 } });
  await page.keyboard.type(' 8');
  await expect(field).toHaveValue('merlin 8');
  await expect(selectedRow(page)).toContainText('Merlin 8');
});

test('values, views, and verbs with an object run with a single Enter', async ({ page }) => {
  await signIn(page, 'administrator');
  await runFromPalette(page, 'silent', 'Silent over 2 days');
  await expect(page).toHaveURL((url) => url.searchParams.get('filter') === 'last>2d sort:-last');
  await runFromPalette(page, 'dark', 'Set theme: Dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await press(page, '1');
  await runFromPalette(page, 'rename merlin 8', /^Rename (tag|device): .*Merlin 8/);
  await expect(palette(page).getByRole('combobox', { name: /^Rename/ })).toBeFocused();
  await press(page, 'Escape');
});

test('a typed or pasted command line shows its plan or error in place', async ({ page, baseURL }) => {
  await signIn(page, 'administrator');
  await press(page, 'Control+k');
  await page.keyboard.type("tag assign health:EROR --tag 'Needs visit'");
  await expect(palette(page).getByRole('option').first()).toContainText(/EROR/);
  await press(page, 'Enter');
  await expect(palette(page)).toBeVisible();
  await expect(palette(page).getByText('health:EROR').first()).toBeVisible();
  await press(page, 'Escape');

  await press(page, 'Control+k');
  await paste(page, "npx quarterdeck tag assign health:ERROR --tag 'Needs visit'");
  await expect(plan(page)).toContainText(/Needs visit/);
  await press(page, 'Escape');

  await press(page, 'Control+k');
  await paste(page, "npx quarterdeck tag create 'Pasted 1'\nnpx quarterdeck tag create 'Pasted 2' --priority x");
  await expect(palette(page).getByRole('list', { name: 'Plan' })).toContainText('Pasted 1');
  await expect(palette(page).getByRole('alert')).toBeVisible();
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Pasted 1');
  await expect(palette(page).getByRole('textbox', { name: 'Lines to run' })).toHaveValue(/Pasted 2/);
  await press(page, 'Escape');

  await press(page, 'Control+k');
  await paste(page, `${baseURL}/settings/tags?filter=type:well`);
  await expect(selectedRow(page)).toContainText('Go to /settings/tags');
  await press(page, 'Enter');
  await expect(table(page, 'Tags')).toBeVisible();
  await press(page, 'g d');
});

test('typed text carries over into the form', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'c w');
  await page.keyboard.type('ftp://x');
  await press(page, 'Tab');
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue('ftp://x');
  await expect(page.getByRole('group', { name: 'Create webhook' }).getByRole('alert')).toBeVisible();
});

test('the initials open the user menu', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.getByRole('button', { name: /^You: Dana Kowalski/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem').first()).toContainText('Go to your profile');
  await expect(menu.getByRole('menuitem').last()).toContainText('Sign out');
  await press(page, 'ArrowDown Enter');
  await expect(page).toHaveURL(/\/user/);
});
