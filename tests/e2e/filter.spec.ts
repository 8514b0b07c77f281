import { filterDevices, matchCount, rows, signIn, table } from './support/console.ts';
import { enter, expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('edits, corrects, and clears a filter using only the keyboard', async ({ page }) => {
  const alert = page.getByRole('search').getByRole('alert');
  const expectFilter = (filter: string | null) =>
    expect(page).toHaveURL((url) => url.searchParams.get('filter') === filter);
  await watchPointer(page);
  await signIn(page, 'administrator');

  await test.step('replaces the whole filter with Ctrl+A', async () => {
    await filterDevices(page, 'health:ERROR lifecycle:INSTALLED');
    await press(page, '/ Control+a');
    await enter(page, 'type:GATEWAY');
    await expectFilter('type:GATEWAY');
    await press(page, '/ Control+a Backspace Enter');
    await expectFilter(null);
  });

  await test.step('removes a term with Ctrl+Backspace, and the whole filter with 0', async () => {
    await filterDevices(page, 'health:ERROR lifecycle:INSTALLED');
    await press(page, '/ Control+Backspace Enter');
    await expectFilter('health:ERROR');
    await press(page, '0');
    await expectFilter(null);
  });

  await test.step('accepts suggested corrections with Tab', async () => {
    for (const [typedFilter, message, correctedFilter] of [
      ['helth:error', 'Did you mean health', 'health:ERROR'],
      ['lifecycle:instaled', 'Did you mean INSTALLED', 'lifecycle:INSTALLED'],
      ['health:ERROR OR health:WARNING', 'as in health:ERROR,WARNING', 'health:ERROR,WARNING'],
      ['number:831', "isn't a device number", '831'],
    ] as const) {
      await press(page, '0 /');
      await enter(page, typedFilter);
      await expect(alert).toContainText(message);
      await press(page, 'Tab Enter');
      await expectFilter(correctedFilter);
    }
  });

  await test.step('accepts the syntax of other query languages', async () => {
    for (const [typed, text] of [
      ['NOT health:OK', '-health:OK'],
      ['health != ok', '-health:OK'],
      ['last > 2 days', 'last>2d'],
    ] as const) {
      await press(page, '0 /');
      await enter(page, typed);
      await expectFilter(text);
      await expect(matchCount(page)).toBeVisible();
    }
  });

  await test.step('explains an incomplete term and a contradiction', async () => {
    await press(page, '0 /');
    await enter(page, 'health:');
    await expect(alert).toContainText('needs a value');
    await press(page, 'Escape /');
    await enter(page, 'health:ERROR health:OK');
    await expect(alert).toContainText('No device has two health levels. To match either, write health:ERROR,OK.');
    await press(page, 'Tab Enter');
    await expectFilter('health:ERROR,OK');
  });

  await test.step('offers a way out of an invalid filter and of an empty list', async () => {
    await page.goto('/devices?filter=helth:ERROR');
    await expect(page.getByText("This filter isn't valid")).toBeVisible();
    await expect(page.getByRole('button', { name: 'health:ERROR' })).toBeVisible();
    await press(page, '0');
    await expectFilter(null);
    await expect(table(page, 'Devices')).toBeVisible();
    await press(page, '/');
    await enter(page, 'no-such-device');
    await expect(page.getByText('Nothing matches this filter')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Clear the filter/ }).last()).toBeVisible();
    await press(page, '0');
    await expectFilter(null);
  });

  await test.step('truncates a suggestion that is wider than the screen', async () => {
    await page.goto(`/devices?filter=eror+${'x'.repeat(300)}`);
    const box = await page.getByRole('button', { name: /^health:ERROR x/ }).boundingBox();
    expect(box!.x).toBeGreaterThan(0);
    expect(box!.x + box!.width).toBeLessThan(page.viewportSize()!.width);
    await press(page, '0');
  });
  await expectNoPointer(page);
});

test('keeps a filter that is typed before the filter language has loaded', async ({ page }) => {
  await signIn(page, 'viewer');
  const field = page.getByRole('combobox', { name: 'Filter Devices' });
  for (const moveToField of [() => press(page, '/'), () => field.click()]) {
    let load: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/assets/filter-*.js', async (route) => {
      await loading;
      await route.continue();
    });
    await page.goto('/devices');
    await expect(rows(page, 'Devices').first()).toBeVisible();
    await moveToField();
    await page.keyboard.type('health:ERROR');
    await press(page, 'Enter');
    await expect(field).toHaveValue('');
    await expect(page).toHaveURL(/\/devices$/);
    load();
    await expect(page).toHaveURL(/\/devices\?filter=health:ERROR$/);
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('explains that the filter language could not be loaded, and loads it on request', async ({ page }) => {
  await signIn(page, 'viewer');
  await page.route('**/assets/filter-*.js', (route) => route.abort());
  await page.goto('/devices');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  const failure = page.getByText("Part of the console couldn't be loaded.");
  await expect(failure.first()).toBeVisible();
  const field = page.getByRole('combobox', { name: 'Filter Devices' });
  await field.click();
  await page.keyboard.type('health:ERROR');
  await expect(async () => {
    await press(page, 'Tab');
    await expect(field).not.toBeFocused({ timeout: 500 });
  }).toPass();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await expect(failure).toHaveCount(0);
  await filterDevices(page, 'health:ERROR');
});

test('a URL with a filter shows its terms and its rows', async ({ page }) => {
  await signIn(page, 'viewer');
  await page.goto('/devices?filter=health:ERROR');
  await expect(page.getByRole('search').getByText('ERROR')).toBeVisible();
  await expect(matchCount(page)).toBeVisible();
  await expect(page.getByRole('button', { name: /In error/ })).toHaveAttribute('aria-pressed', 'true');
});
