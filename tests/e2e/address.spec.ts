import {
  expectFiltered,
  filterDevices,
  matchCount,
  rows,
  runFromPalette,
  signIn,
  signInHere,
  table,
  toasts,
} from './support/console.ts';
import { moveTo, press, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('a URL restores the filter, the sort, the panel, and the tab', async ({ page, context }) => {
  await signIn(page, 'operator');
  await filterDevices(page, 'health:ERROR sort:-last');
  await expectFiltered(page);
  const third = rows(page, 'Devices').nth(2);
  await expect(third).toContainText(/\w{4} \w{4}/);
  const device = await third.getByRole('gridcell').nth(3).innerText();
  await press(page, 'j j Enter');
  const panel = page.getByRole('article', { name: device });
  await tabTo(page, panel.getByRole('tab', { name: 'Overview' }));
  await moveTo(page, 'ArrowRight', panel.getByRole('tab', { name: 'Messages' }));
  await expect(panel.getByRole('tab', { name: 'Messages' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/panel\[0\]=device\/.*tab=messages/);
  const count = await matchCount(page).innerText();

  const secondPage = await context.newPage();
  await secondPage.goto(page.url());
  await expect(secondPage.getByRole('article', { name: device })).toBeVisible();
  await expect(secondPage.getByRole('tab', { name: 'Messages' })).toHaveAttribute('aria-selected', 'true');
  await expect(matchCount(secondPage)).toHaveText(count);
  await expect(secondPage.getByRole('search')).toContainText('health:ERROR');
  const last = table(secondPage, 'Devices').getByRole('columnheader', { name: 'Last message' });
  await expect(last).toHaveAttribute('aria-sort', 'descending');
});

test('the panel follows the active row, and back and forward step through the opened views', async ({ page }) => {
  await signIn(page, 'operator');
  const names = rows(page, 'Devices');
  await expect(names.first()).toContainText(/\w{4} \w{4}/);
  await press(page, 'Enter');
  const panel = page.getByRole('article');
  const first = await panel.getByRole('heading', { level: 2 }).innerText();
  await press(page, 'j');
  await expect(panel.getByRole('heading', { level: 2 })).not.toHaveText(first);
  const second = await panel.getByRole('heading', { level: 2 }).innerText();
  await press(page, 'k');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(first);
  await press(page, 'j g t');
  await expect(table(page, 'Tags')).toBeVisible();
  await page.goBack();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText(second);
  await page.goForward();
  await expect(table(page, 'Tags')).toBeVisible();
});

test('an unknown URL shows an error in place', async ({ page }) => {
  await page.goto('/nothing/like/this?panel[0]=x');
  await signInHere(page, 'viewer');
  await expect(page.getByText('Page not found')).toBeVisible();
  await expect(page.getByText('/nothing/like/this')).toBeVisible();
  await page.goto('/neither/this');
  await expect(page.getByText('Page not found')).toBeVisible();
  await expect(page).toHaveURL(/\/neither\/this$/);
  await page.goto('/devices?filter=nonsense:1');
  await expect(page.getByRole('alert').first()).toContainText('“nonsense”');
});

test("the URL of a list's child shows the list, and that of an item that doesn't exist says so", async ({ page }) => {
  await page.goto('/process-points/list?filter=type:PIPELINE');
  await signInHere(page, 'viewer');
  await expect(page).toHaveURL(/\/process-points\?filter=type:PIPELINE$/);
  await expect(table(page, 'Process points')).toBeVisible();
  await page.goto('/process-points/nowhere/assign');
  await expect(page).toHaveURL(/\/process-points$/);
  await expect(toasts(page)).toContainText('No process point is named “nowhere”.');
});

test('forms open beside an unknown URL', async ({ page }) => {
  await page.goto('/nothing/like/this');
  await signInHere(page, 'operator');
  await expect(page.getByText('Page not found')).toBeVisible();
  await runFromPalette(page, 'create tag', 'Create tag');
  await press(page, 'Tab');
  const form = page.getByRole('group', { name: 'Create tag' });
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await press(page, 'Escape');
  await expect(form).toBeHidden();
  await expect(page.getByText('Page not found')).toBeVisible();
});
