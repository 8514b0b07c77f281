import { findViolations } from './support/axe.ts';
import { matchCount, palette, rows, runFromPalette, signIn, signInHere, statusLine, table } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('every screen is accessible', async ({ page }) => {
  const check = (name: string): Promise<void> =>
    test.step(name, async () => expect.soft(await findViolations(page), name).toEqual([]));

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
  await expect(page.getByRole('article').getByText('Location', { exact: true })).toBeVisible();
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
    ['g p', 'Process points'],
    ['g t', 'Tags'],
    ['g w', 'Webhooks'],
    ['g k', 'Tokens'],
    ['g Shift+P', 'Parsers'],
    ['g f', 'Fields'],
    ['g o', 'Organizations'],
  ] as const) {
    await press(page, keys);
    await expect(table(page, name)).toBeVisible();
    await expect(matchCount(page)).toHaveText(/^[\d,]+ \w/);
    await check(name);
  }
});

test('everything about values and parsers is accessible', async ({ page }) => {
  const check = (name: string): Promise<void> =>
    test.step(name, async () => expect.soft(await findViolations(page), name).toEqual([]));
  const panel = page.getByRole('article');

  await signIn(page, 'administrator', '/process-points');
  await expect(rows(page, 'Process points').first()).toContainText('bar');
  await press(page, 'j Enter');
  await expect(panel.getByRole('tab', { name: 'Overview' })).toBeVisible();
  await check('process point panel');
  await press(page, '}');
  const pressure = panel.getByRole('button', { name: /^Pressure/ });
  await expect(pressure).toBeFocused();
  await check('values');
  await press(page, 'Enter');
  await expect(page.getByRole('list', { name: 'Trends' })).toContainText('Pressure, from');
  await press(page, 'ArrowLeft');
  await check('chart');
  await press(page, 'n');
  await expect(page.getByRole('table')).toBeVisible();
  await check('table of a chart');
  await press(page, 'Escape Escape');

  await runFromPalette(page, "process-point assignments 'Avocet 1, annulus A'", 'process-point assignments');
  await expect(page.getByRole('grid', { name: /^Devices of/ })).toBeVisible();
  await check('timeline');

  await press(page, 'g Shift+P');
  await expect(rows(page, 'Parsers').first()).toBeVisible();
  await press(page, 'j Enter');
  await expect(panel.getByRole('tab', { name: 'Definition' })).toBeVisible();
  await check('parser panel');
  await runFromPalette(page, 'parser open-bench', 'parser open-bench');
  await expect(page.getByRole('region', { name: 'Parser bench' })).toContainText('Definition is valid');
  await check('bench');

  await page.goto('/developer-tools/fields');
  await expect(rows(page, 'Fields').first()).toBeVisible();
  await press(page, 'j Enter');
  await expect(panel).toBeVisible();
  await check('field panel');
  await press(page, 'e');
  await expect(page.getByRole('heading', { name: 'Edit field' })).toBeVisible();
  await check('field form');
});
