import { findViolations } from './support/axe.ts';
import { expectCellsFit, rows, signIn, table, toasts } from './support/console.ts';
import { enter, press, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('the developer tools are tabs of one rail entry', async ({ page }) => {
  await signIn(page, 'administrator', '/developer-tools');
  await expect(page).toHaveURL(/\/developer-tools\/webhooks$/);
  const railLink = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Developer tools' });
  await expect(railLink).toHaveAttribute('aria-current', 'page');
  const strip = page.getByRole('navigation', { name: 'Developer tools' });
  await expect(strip.getByRole('link')).toHaveText([/^Webhooks/, /^Tokens/, /^Parsers/, /^Fields/]);
  await strip.getByRole('link', { name: 'Tokens' }).click();
  await expect(table(page, 'Tokens')).toBeVisible();
  await expect(railLink).toHaveAttribute('aria-current', 'page');
  await press(page, 'g w');
  await expect(table(page, 'Webhooks')).toBeVisible();
});

test('a detail field is edited in place, and the history can be filtered', async ({ page }) => {
  await signIn(page, 'administrator', '/developer-tools/webhooks');
  await expect(rows(page, 'Webhooks').first()).toBeVisible();
  await press(page, 'Enter');
  const panel = page.getByRole('article');
  await expect(panel).toBeVisible();
  const edit = panel.getByRole('button', { name: 'Edit url' });
  await tabTo(page, edit);
  await press(page, 'Enter');
  const address = panel.getByRole('textbox', { name: 'URL' });
  await expect(address).toBeFocused();
  await address.fill('not a url');
  await press(page, 'Enter');
  await expect(panel.getByRole('alert')).toContainText('not a valid URL');
  await address.fill('https://example.com/new');
  expect(await findViolations(page)).toEqual([]);
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('URL');
  await expect(panel.getByRole('definition').filter({ hasText: 'https://example.com/new' })).toBeVisible();
  await expect(edit).toBeFocused();
  await press(page, 'u');
  await expect(panel.getByRole('definition').filter({ hasText: 'https://example.com/new' })).toHaveCount(0);

  await panel.getByRole('tab', { name: 'History' }).click();
  const period = panel.getByRole('textbox', { name: 'Period' });
  await panel.getByRole('button', { name: 'Choose a period' }).click();
  const calendar = page
    .getByRole('grid')
    .filter({ has: page.getByRole('gridcell') })
    .last();
  await expect(calendar).toBeVisible();
  await expect(page.locator('[role=gridcell] button:focus')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await press(page, 'ArrowLeft Enter');
  await press(page, 'Escape');
  await expect(period).toHaveValue(/^\d{4}-\d{2}-\d{2}$/);
  await expect(panel.getByText('Nothing in this list matches.')).toBeVisible();
  await period.fill('');
  await panel.getByRole('checkbox', { name: 'Only failures' }).check();
  await expect(panel.getByText('Nothing in this list matches.').or(panel.getByRole('list'))).toBeVisible();
});

test('events of a device fit its panel', async ({ page }) => {
  await signIn(page, 'administrator', '/devices?filter=health:ERROR');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
  await press(page, 'Enter');
  await page.getByRole('article').getByRole('tab', { name: 'Events' }).click();
  await expectCellsFit(page, 'Events');
});

test("a tag's devices open from its panel and as a list", async ({ page }) => {
  await signIn(page, 'administrator', '/settings/tags');
  await press(page, '/');
  await enter(page, 'type:site');
  await expect(rows(page, 'Tags').first()).toBeVisible();
  await press(page, 'Enter');
  const panel = page.getByRole('article');
  await expect(panel, 'the id looks the same as in the list').toHaveText(/^#\d+/);
  await panel.getByRole('tab', { name: 'Devices' }).click();
  await expect(panel.getByRole('list', { name: 'Devices' }).getByRole('button').first()).toBeVisible();
  await panel.getByRole('button', { name: 'Show as a list' }).click();
  await expect(page).toHaveURL((url) => /^tag:#\d+$/.test(url.searchParams.get('filter') ?? ''));
  await expect(rows(page, 'Devices').first()).toBeVisible();
});

test('focus stays in the panel when its content changes, and returns to the list', async ({ page }) => {
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
  await table(page, 'Devices').focus();
  await press(page, 'Enter');
  const panel = page.getByRole('article');
  const device = await panel.getByRole('heading', { level: 2 }).innerText();
  const inPanel = page.locator(':focus').filter({ has: page.getByRole('article') });
  await tabTo(page, panel.getByRole('button', { name: 'Edit', exact: false }).first());
  await press(page, 'Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await press(page, 'Escape');
  await expect(inPanel).toHaveCount(1);
  await tabTo(page, panel.getByRole('button', { name: 'Forties' }).first());
  await press(page, 'Enter');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Forties');
  await expect(inPanel).toHaveCount(1);
  await press(page, 'Escape');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(device);
  await expect(inPanel).toHaveCount(1);
  await press(page, 'Escape');
  await expect(table(page, 'Devices')).toBeFocused();
});

test('the mouse steps through items in the panel and closes it, even for an unknown item', async ({ page }) => {
  await signIn(page, 'administrator');
  const first = rows(page, 'Devices').first();
  await first.dblclick();
  const panel = page.getByRole('article');
  const name = await panel.getByRole('heading', { level: 2 }).textContent();
  await panel.getByRole('button', { name: 'Next in the panel' }).click();
  await expect(panel.getByRole('heading', { level: 2 })).not.toHaveText(name ?? '');
  await panel.getByRole('button', { name: 'Previous in the panel' }).click();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(name ?? '');
  await panel.getByRole('button', { name: 'Close the panel' }).click();
  await expect(panel).toHaveCount(0);

  await page.goto('/devices?panel[0]=device/1111+2222');
  await expect(page.getByText('No device 1111 2222 here')).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the panel' }).click();
  await expect(page.getByText('No device 1111 2222 here')).toHaveCount(0);
  await expect(page).toHaveURL(/\/devices$/);
});
