import { matchCount, palette, rows, runFromPalette, signIn, statusLine, table } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('? lists the keys, can be searched, and runs the selected command', async ({ page }) => {
  await signIn(page, 'operator');
  await press(page, '?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('combobox')).toBeFocused();
  await expect(sheet.getByRole('option', { name: /^Assign tag/ })).toBeVisible();
  const visibleRows = await sheet.getByRole('listbox').evaluate((list) => {
    const view = list.getBoundingClientRect();
    return [...list.querySelectorAll('[role=option]')].filter((option) => {
      const { top, bottom } = option.getBoundingClientRect();
      return top >= view.top && bottom <= Math.min(view.bottom, innerHeight);
    }).length;
  });
  expect(visibleRows, 'rows in a window of 900 px').toBeGreaterThan(12);
  await page.keyboard.type('go to tags');
  await expect(sheet.getByRole('option').first()).toContainText('Go to tags');
  await press(page, 'Enter');
  await expect(sheet).toBeHidden();
  await expect(table(page, 'Tags')).toBeVisible();
});

test('a key sequence shows its possible next keys', async ({ page }) => {
  await signIn(page, 'administrator');
  await page.setViewportSize({ width: 1024, height: 700 });
  await press(page, 'x g');
  await expect(statusLine(page)).toContainText('Go to tags');
  const continuations = statusLine(page).getByRole('listitem');
  await expect(continuations.last()).toHaveText(/\S/);
  const clippedLabels = await continuations.evaluateAll((items) =>
    items.flatMap((item) => {
      const { left, right, top, bottom } = item.getBoundingClientRect();
      const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      return isInside && item.scrollWidth <= item.clientWidth ? [] : [item.textContent];
    }),
  );
  expect(clippedLabels).toEqual([]);
  await press(page, 'Escape');
  await expect(statusLine(page)).not.toContainText('Go to tags');
  await press(page, 'g t');
  await expect(table(page, 'Tags')).toBeVisible();
});

test('the palette works from the keyboard and restores focus', async ({ page }) => {
  await signIn(page, 'operator');
  await table(page, 'Devices').focus();
  await press(page, 'Control+k');
  const field = palette(page).getByRole('combobox');
  await expect(field).toBeFocused();
  await page.keyboard.type('go to');
  await expect(palette(page).getByRole('option', { selected: true })).toContainText('Go to');
  const first = await field.getAttribute('aria-activedescendant');
  await press(page, 'ArrowDown');
  await expect(field).not.toHaveAttribute('aria-activedescendant', first ?? '');
  await press(page, 'Escape');
  await expect(palette(page)).toBeHidden();
  await expect(table(page, 'Devices')).toBeFocused();

  await press(page, ':');
  await page.keyboard.type('@Gateway, Avocet');
  await expect(palette(page).getByRole('option').first()).toContainText('Gateway, Avocet');
  await press(page, 'Enter');
  await expect(page.getByRole('article', { name: /^Gateway, Avocet/ })).toBeVisible();
});

test('a viewer sees which permission a command needs', async ({ page }) => {
  await signIn(page, 'viewer');
  await expect(page.getByRole('navigation', { name: 'Screens' })).not.toContainText('Developer tools');
  await press(page, 'x Control+k');
  await page.keyboard.type('>assign tag');
  const assign = palette(page).getByRole('option', { name: /^Assign tag/ });
  await expect(assign).toHaveAttribute('aria-disabled', 'true');
  await expect(assign).toContainText('An administrator can grant them');
  await press(page, 'Enter');
  await expect(assign).toBeVisible();
});

test("shortcuts don't fire in a text field", async ({ page }) => {
  await signIn(page, 'operator');
  await press(page, '/');
  await page.keyboard.type('xt?g');
  await expect(page.getByRole('combobox', { name: 'Filter Devices' })).toHaveValue('xt?g');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await press(page, 'Escape');
  await expect(matchCount(page)).toHaveText('2,000 devices');
  await expect(statusLine(page)).not.toContainText('selected');
});

test('a command sets the theme, and the theme survives a reload', async ({ page }) => {
  await signIn(page, 'operator');
  await runFromPalette(page, 'app theme dark', 'app theme dark');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test('keys typed into a blank page take effect once it has loaded', async ({ page }) => {
  await signIn(page, 'operator');
  await page.reload({ waitUntil: 'domcontentloaded' });
  for (const key of ['/', ...'health:error', 'Enter', '*', 't', ...'Needs visit']) await page.keyboard.press(key);
  await expect(page).toHaveURL(/filter=health:ERROR$/);
  await expect(palette(page).getByRole('combobox')).toHaveValue('Needs visit');
});

test('signing out applies to every tab', async ({ page, context }) => {
  await signIn(page, 'operator');
  const secondPage = await context.newPage();
  await secondPage.goto('/settings/tags');
  await expect(table(secondPage, 'Tags')).toBeVisible();
  await runFromPalette(page, 'sign out', 'Sign out');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(secondPage.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await page.goto('/devices?filter=health:ERROR');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeVisible();
  await expect(page.getByRole('grid')).toHaveCount(0);
});

test('a list that fails to load shows an error, and a key retries it', async ({ page }) => {
  const list = '**/hiber.tag.TagService/List';
  await signIn(page, 'operator');
  await page.route(list, (route) => route.fulfill({ status: 500 }));
  await press(page, 'g t');
  const error = page.getByRole('alert').filter({ hasText: "Tags couldn't be loaded" });
  await expect(error.getByRole('button', { name: 'Try again' })).toContainText('L');
  await page.unroute(list);
  await press(page, 'Shift+L');
  await expect(error).toBeHidden();
  await expect(rows(page, 'Tags').first()).toBeVisible();
});

test('clicking views, column headers, and panel tabs runs their commands', async ({ page }) => {
  await signIn(page, 'operator');
  const filter = (): string | null => new URL(page.url()).searchParams.get('filter');
  await page
    .getByRole('group', { name: 'Views' })
    .getByRole('button', { name: /In error/ })
    .click();
  await expect.poll(filter).toBe('health:ERROR sort:-last');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.poll(filter).toBe('health:ERROR sort:name');
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.poll(filter).toBe('health:ERROR sort:-name');
  await table(page, 'Devices').focus();
  await press(page, 'Enter');
  await page.getByRole('article').getByRole('tab', { name: 'Messages' }).click();
  await expect(page).toHaveURL(/tab=messages/);
  await expect(page.getByRole('tab', { name: 'Messages' })).toHaveAttribute('aria-selected', 'true');
});

test('a command can be rebound, and the console shows the new key', async ({ page }) => {
  await signIn(page, 'operator');
  const rebind = async (title: string, keys: string): Promise<void> => {
    await press(page, '?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await expect(sheet.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(title);
    await expect(sheet.getByRole('option').first()).toContainText(title);
    await press(page, 'F2');
    await expect(page.getByRole('textbox', { name: 'Press the new keys' })).toBeFocused();
    await press(page, `${keys} Enter`);
    await expect(sheet.getByRole('combobox')).toBeFocused();
    await press(page, 'Escape');
  };
  const rail = page.getByRole('navigation', { name: 'Screens' });
  // Screen readers get the keys as a description, not as part of the name.
  const tags = rail.getByRole('link', { name: 'Tags', exact: true });
  await expect(tags).toHaveAttribute('aria-description', 'g t');
  await rebind('Go to tags', 'q t');
  await expect(tags).toContainText('q t');
  await expect(tags).toHaveAttribute('aria-description', 'q t');
  await rebind('View 2', 'F7');
  await expect(page.getByRole('group', { name: 'Views' }).getByRole('button').nth(1)).toHaveAttribute(
    'aria-keyshortcuts',
    'F7',
  );
  await rebind('Edit the filter', 'F9');
  await expect(page.getByRole('search')).toContainText('F9');
  await rebind('Next in the panel', 'q n');
  await rebind('Set notes', 'q q');
  await press(page, 'Enter');
  await expect(page.getByRole('article')).toContainText('q n');
  await press(page, 'q q');
  await expect(page.getByRole('group', { name: /notes/i })).toBeVisible();
  await press(page, 'Escape Escape q t');
  await expect(table(page, 'Tags')).toBeVisible();
});

test('the top strip shows the group, the screen, and the open item', async ({ page }) => {
  await signIn(page, 'administrator');
  await press(page, 'Enter');
  await expect(page.getByRole('article')).toBeVisible();
  const number = (
    await statusLine(page)
      .getByRole('button', { name: /^Target/ })
      .innerText()
  ).replace('→ ', '');
  await expect(page.getByRole('banner')).toContainText(`Devices/${number}`);
  await page.goto('/settings/accounts/roles');
  await expect(page.getByRole('banner').getByRole('heading', { name: 'Roles' })).toBeVisible();
  await expect(page.getByRole('banner')).toContainText(/Users/);
});

test('keys pressed before the rows load apply to those rows', async ({ page }) => {
  await signIn(page, 'operator');
  const third = rows(page, 'Devices').nth(2);
  await expect(third).toContainText(/\w{4} \w{4}/);
  const device = await third.getByRole('gridcell').nth(3).innerText();
  await page.route('**/hiber.modem.ModemService/List', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.reload();
  await expect(statusLine(page)).toBeVisible();
  await expect(rows(page, 'Devices').first()).not.toContainText(/\w{4} \w{4}/);
  await press(page, 'j j Enter');
  await expect(page.getByRole('article', { name: device })).toBeVisible();
});

test('a name with an override character does not reorder the text beside it', async ({ page }) => {
  await signIn(page, 'viewer');
  const order = await page.evaluate(() => {
    const line = document.createElement('p');
    line.style.cssText = 'position: fixed; top: 0; left: 0; white-space: nowrap';
    // Untrusted names, with a right-to-left override that isn't closed.
    line.innerHTML = '<span>pump \u202Eexe.gpj</span> in <b>\u05D0\u05D1</b> 12 of <code>\u202Ex</code> 34';
    document.body.append(line);
    const lefts = [...line.childNodes].map((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return Math.round(range.getBoundingClientRect().left);
    });
    line.remove();
    return lefts;
  });
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
