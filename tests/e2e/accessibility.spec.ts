import { violations } from './support/axe.ts';
import { matchCount, palette, rows, signInHere, statusLine, table } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('every screen is accessible', async ({ page }) => {
  const check = (name: string): Promise<void> =>
    test.step(name, async () => expect.soft(await violations(page), name).toEqual([]));

  await page.goto('/');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await check('sign in');
  await signInHere(page, 'administrator');
  await expect(statusLine(page)).toContainText('live');
  await expect(matchCount(page)).toHaveText('2,000 devices');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
  await press(page, 'x');
  await check('devices');
  await press(page, 'Enter');
  await expect(page.getByRole('article').getByText('Location')).toBeVisible();
  await check('device panel');
  await press(page, 'Escape t');
  await expect(palette(page).getByRole('option').first()).toBeVisible();
  await check('palette with a plan');
  await press(page, 'Escape Control+k');
  await expect(palette(page).getByRole('option').first()).toBeVisible();
  await check('palette');
  await press(page, 'Escape ?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByRole('option').first()).toBeVisible();
  await check('cheat sheet');
  await press(page, 'Escape e');
  await expect(page.getByRole('group', { name: 'Edit device', exact: true }).getByLabel('Lifecycle')).toBeVisible();
  await check('form');
  await press(page, 'Escape /');
  await page.keyboard.type('health:');
  await expect(page.getByRole('option', { name: /ERROR/ })).toBeVisible();
  await check('filter');
  await press(page, 'Escape');

  for (const [keys, name] of [
    ['g t', 'Tags'],
    ['g w', 'Webhooks'],
    ['g k', 'Tokens'],
    ['g o', 'Organizations'],
  ] as const) {
    await press(page, keys);
    await expect(table(page, name)).toBeVisible();
    await expect(matchCount(page)).toHaveText(/^[\d,]+ \w/);
    await check(name);
  }
});
