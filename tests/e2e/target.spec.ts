import type { Page } from '@playwright/test';

import { filterDevices, palette, rows, signIn, statusLine, table } from './support/console.ts';
import { press, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const target = (page: Page) => statusLine(page).getByRole('button', { name: /^Target: / });
const form = (page: Page) => page.getByRole('group', { name: 'Edit device', exact: true });
const article = (page: Page) => page.getByRole('article');

/** Returns the device number in a visible row. */
async function readNumber(page: Page, row: number): Promise<string> {
  const match = /[0-9A-F]{4} [0-9A-F]{4}/.exec(await rows(page, 'Devices').nth(row).innerText());
  return match?.[0] ?? '';
}

test.beforeEach(async ({ page }) => {
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);
});

test('keys and buttons act on the item in the panel, wherever the cursor is', async ({ page }) => {
  const first = await readNumber(page, 0);
  await expect(target(page)).toHaveText(`→ ${first}`);
  // A device far down a list that has loaded only its first rows.
  await press(page, 'End');
  await expect(target(page)).not.toHaveText(`→ ${first}`);
  const last = (await target(page).innerText()).replace('→ ', '');
  await press(page, 'Home');
  await expect(target(page)).toHaveText(`→ ${first}`);

  await page.goto(`/devices?panel[0]=device/${last.replace(' ', '+')}`);
  await expect(article(page)).toContainText(last);
  await expect(target(page)).toHaveText(`→ ${last}`);
  await test.step('the active row moves to it', async () => {
    await expect(table(page, 'Devices')).toHaveAttribute('aria-activedescendant', /-1999$/);
  });
  await test.step('a key acts on it', async () => {
    await press(page, 'e');
    await expect(form(page)).toBeVisible();
    await press(page, 'Escape');
    await press(page, 'l');
    await expect(palette(page)).toContainText('set-lifecycle');
    await expect(page).toHaveURL(new RegExp(last.replace(' ', '.')));
    await expect(palette(page).getByRole('region', { name: 'Plan' })).toContainText(last);
    await press(page, 'Escape');
  });
  await test.step('its own button acts on it', async () => {
    await article(page)
      .getByRole('button', { name: /^Actions/ })
      .click();
    await expect(palette(page)).toContainText(`For ${last}`);
    await press(page, 'Escape');
  });
  await test.step('keys step to its neighbors', async () => {
    await press(page, '[');
    await expect(table(page, 'Devices')).toHaveAttribute('aria-activedescendant', /-1998$/);
    await expect(article(page)).not.toContainText(last);
    await press(page, ']');
    await expect(article(page)).toContainText(last);
    await expect(target(page)).toHaveText(`→ ${last}`);
  });
});

test('double-click and Enter open a row, and the next opened row replaces it', async ({ page }) => {
  const [, second = '', third = ''] = await Promise.all([0, 1, 2].map((row) => readNumber(page, row)));
  await rows(page, 'Devices').nth(1).getByText(second).dblclick();
  await expect(article(page)).toContainText(second);
  await expect(palette(page)).toBeHidden();
  await press(page, 'j Enter');
  await expect(article(page)).toContainText(third);
  await expect(page).not.toHaveURL(/panel\[1\]/);
});

test('stacks the panel of a link and starts a new stack with Enter in the table', async ({ page }) => {
  const device = await readNumber(page, 0);
  await press(page, 'Enter');
  await expect(article(page)).toContainText(device);
  await press(page, '{');
  await expect(page.getByRole('tab', { name: 'Tags' })).toHaveAttribute('aria-selected', 'true');
  const row = article(page).getByRole('list', { name: 'Tags' }).getByRole('button').first();
  await expect(row).toBeFocused();
  const name = ((await row.innerText()).split('\n')[0] ?? '').trim();
  await press(page, 'Enter');
  await expect(article(page).getByRole('heading', { level: 2 })).toHaveText(name);
  await expect(target(page)).toHaveText(`→ ${name}`);
  await press(page, 'e');
  await expect(page.getByRole('group', { name: 'Edit tag', exact: true })).toContainText(name);
  await press(page, 'Escape');

  await test.step('back returns to the row it was opened from', async () => {
    await press(page, 'Backspace');
    await expect(article(page)).toContainText(device);
    await expect(row).toBeFocused();
    await expect(target(page)).toHaveText(`→ ${device}`);
  });
  await test.step('a click opens the tag, but Enter in the table then opens its row', async () => {
    await article(page).getByRole('button', { name, exact: true }).first().click();
    await expect(target(page)).toHaveText(`→ ${name}`);
    await table(page, 'Devices').focus();
    await press(page, 'j');
    await expect(article(page).getByRole('heading', { level: 2 })).toHaveText(name);
    await press(page, 'Enter');
    await expect(article(page)).toContainText(await readNumber(page, 1));
    await expect(page).not.toHaveURL(/panel\[1\]/);
  });
});

test('the selection is the target even if a panel is open, and a bar shows its actions', async ({ page }) => {
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await press(page, 'Enter');
  await expect(article(page)).toBeVisible();
  await press(page, 'x j x');
  await expect(target(page)).toHaveText('→ 2 selected');
  await expect(article(page).getByRole('button', { name: /^Edit/ }).first()).toContainText('→ 2 selected');
  await article(page).getByRole('button', { name: /^Edit/ }).first().click();
  await expect(page.getByRole('group', { name: 'Edit devices' })).toContainText('2 devices');
  await press(page, 'Escape Escape');
  await expect(article(page)).toBeHidden();
  await expect(bar).toContainText('2 selected');
  await bar.getByRole('button', { name: /^Set lifecycle/ }).click();
  await expect(palette(page)).toContainText('2 devices');
  await press(page, 'Escape');
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar).toBeHidden();

  await filterDevices(page, 'health:ERROR');
  await press(page, '*');
  await expect(target(page)).toHaveText(/^→ \d+ in error$/);
  await expect(bar).toContainText(/^\d+ selected, all matching/);
  await press(page, 'a');
  await expect(palette(page)).toContainText(/For \d+ in error/);
});

test("a button for an item that isn't the target shows no key", async ({ page }) => {
  await press(page, 'Enter {');
  await article(page).getByRole('list', { name: 'Tags' }).getByRole('button').first().click();
  const edit = article(page).getByRole('button', { name: /^Edit/ }).first();
  await expect(page.getByRole('article').getByText('Used by')).toBeVisible();
  await expect(edit).toHaveText('Edite');
  await table(page, 'Devices').focus();
  await press(page, 'x');
  await expect(target(page)).toHaveText('→ 1 selected');
  // The key edits the selected device, and the button edits the tag.
  await expect(edit).toHaveText('Edit');
  await edit.click();
  await expect(page.getByRole('group', { name: 'Edit tag', exact: true })).toBeVisible();
});

test('a list has a create button and explains if its items have no edit form', async ({ page }) => {
  await expect(page.getByRole('button', { name: /^Create device/ })).toBeVisible();
  await press(page, 'g u');
  await expect(rows(page, 'Members').first()).toBeVisible();
  await page.getByRole('button', { name: /^Invite/ }).click();
  await expect(palette(page)).toContainText('user invite');
  await press(page, 'Escape');
  await press(page, 'e');
  await expect(palette(page).getByRole('option', { name: /^Set .*roles/ })).toBeVisible();
  await expect(page.getByRole('region', { name: /^Notifications/ })).toContainText('This item has no edit form');
});

test('Escape in an opened message closes the message first, then the panel', async ({ page }) => {
  await press(page, 'Enter');
  await press(page, '} }');
  const list = article(page).getByRole('list', { name: 'Messages' });
  const first = list.getByRole('button').first();
  await tabTo(page, first);
  await press(page, 'Enter');
  await expect(first).toHaveAttribute('aria-expanded', 'true');
  await press(page, 'Escape');
  await expect(first).toHaveAttribute('aria-expanded', 'false');
  await expect(first).toBeFocused();
  await press(page, 'Escape');
  await expect(article(page)).toBeHidden();
});
