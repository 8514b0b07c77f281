import { findViolations } from './support/axe.ts';
import { rows, signIn, table } from './support/console.ts';
import { press, tabTo } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('a device opens full screen, with its tabs and its gateway, by keyboard', async ({ page }) => {
  await signIn(page, 'administrator', '/devices?filter=type:SENSOR+gateway:*');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
  await table(page, 'Devices').focus();
  await press(page, 'Enter');
  const article = page.getByRole('article');
  const heading = article.getByRole('heading', { level: 2 });
  const overview = article.getByRole('region', { name: 'Overview' });
  await expect(article).toBeVisible();
  await expect(overview).toHaveCount(0);
  await press(page, 'Enter');
  await expect(overview).toBeVisible();
  await expect(table(page, 'Devices')).not.toBeFocused();
  const device = await heading.innerText();
  const number = new URL(page.url()).searchParams.get('panel[0]')!.replace('device/', '');
  await expect(page.getByRole('banner')).toContainText(number);
  expect(await findViolations(page)).toEqual([]);

  const openTab = article.getByRole('tab', { selected: true });
  const titles = await article.getByRole('tab').allInnerTexts();
  expect(titles).toEqual(expect.arrayContaining(['Values', 'Messages', 'Locations', 'Process points']));
  for (const title of titles) {
    await expect(openTab).toHaveText(title);
    await press(page, '}');
  }
  await expect(openTab).toHaveText(titles[0]!);

  // Wait for the first row of the tab, which takes the focus.
  const gateway = overview
    .getByRole('definition')
    .filter({ has: page.getByRole('button', { name: /^[0-9A-F]{4} [0-9A-F]{4}$/ }) });
  const link = gateway.getByRole('button', { name: /^[0-9A-F]{4} [0-9A-F]{4}$/ });
  const gatewayNumber = await link.innerText();
  await tabTo(page, link);
  await press(page, 'Enter');
  await expect(article).toContainText(gatewayNumber);
  await expect(heading).not.toHaveText(device);
  await press(page, '{');
  await expect(openTab).toHaveText('Connected devices');
  await expect(article.getByRole('list', { name: 'Connected devices' })).toContainText(number);
  await press(page, 'Backspace');
  await expect(heading).toHaveText(device);
  await expect(overview).toBeVisible();

  await press(page, ']');
  await expect(heading).not.toHaveText(device);
  await expect(overview).toBeVisible();
  await press(page, '[');
  await expect(heading).toHaveText(device);
  await press(page, 'Backspace');
  await expect(overview).toHaveCount(0);
  await expect(heading).toHaveText(device);
  await press(page, 'Backspace');
  await expect(article).toHaveCount(0);
});

test('the link of a device shows it full screen, and an unknown number leads to the list', async ({ page }) => {
  await signIn(page, 'administrator');
  const number = await rows(page, 'Devices')
    .first()
    .getByText(/^[0-9A-F]{4} [0-9A-F]{4}$/)
    .innerText();
  await page.goto(`/devices/${encodeURIComponent(number)}`);
  const article = page.getByRole('article');
  await expect(article.getByRole('region', { name: 'Overview' })).toBeVisible();
  await expect(article).toContainText(number);
  await press(page, 'e');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(article, 'the form is next to the device').toBeVisible();
  await press(page, 'Escape');
  await page.getByRole('button', { name: 'Show next to the list' }).click();
  await expect(article.getByRole('region', { name: 'Overview' })).toHaveCount(0);
  await page.goto('/devices/0000%200000');
  await expect(page).toHaveURL(/\/devices$/);
});
