import type { Locator, Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { runFromPalette, signIn, toasts } from './support/console.ts';
import { expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(({ page }) => watchPointer(page));

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The profile screens, by their keys. */
const SCREENS = [
  ['g y', 'Profile'],
  ['g ,', 'General'],
  ['g l', 'Email preferences'],
] as const;

test('shows your profile, and reaches every profile screen by key, tab, palette, and URL', async ({ page }) => {
  await signIn(page, 'administrator');
  for (const [keys, name] of SCREENS) {
    await press(page, keys);
    await expect(page.getByRole('navigation', { name: 'You' }).getByRole('link', { name })).toHaveAttribute(
      'aria-current',
      'page',
    );
  }
  await press(page, 'g y');
  await expect(section(page, 'You')).toContainText('administrator@northwind.example');
  await expect(section(page, 'You')).toContainText('Verified');
  await expect(section(page, 'Organizations')).toContainText('Northwind Energy');
  await runFromPalette(page, 'email preferences', 'Go to your email preferences');
  await expect(page).toHaveURL(/\/user\/email-preferences$/);
  await page.goto('/settings/general');
  await expect(page).toHaveURL(/\/user\/general$/);
  await expectNoPointer(page);
});

test('applies the preferred time format in the console and the command line, and undoes it', async ({
  page,
  baseURL,
}) => {
  await signIn(page, 'developer', '/user/general');
  const format = page.getByRole('combobox', { name: 'Date and time' });
  await tabTo(page, format);
  // The options are example dates; typing selects an option.
  await page.keyboard.type('2026-12-31');
  // The console saves the choice immediately, and the list keeps focus.
  await expect(toasts(page)).toContainText('Dates and times now look like 2026-12-31 17:05:09');
  await expect(format).toBeFocused();
  // Letters select an option in the list; outside the list they are shortcuts again.
  await tabTo(page, page.getByRole('link', { name: /^Profile/ }));
  await press(page, 'g Shift+O');
  const created = section(page, 'Organization').getByRole('time');
  await expect(created).toHaveText(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
  const info = await quarterdeck(await signInTerminal(baseURL ?? '', 'developer'), 'organization info');
  expect(info.output).toMatch(/Created\s+\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\n/);
  await press(page, 'u');
  await expect(created).toHaveText(/^\d{2} \w{3} \d{4}, \d{2}:\d{2}:\d{2}$/);
  await expectNoPointer(page);
});

test('sets units and the first screen', async ({ page }) => {
  await signIn(page, 'operator', '/user/general');
  const temperature = page.getByRole('combobox', { name: 'Temperature' });
  await tabTo(page, temperature);
  await page.keyboard.type('K');
  await expect(toasts(page)).toContainText('Set your units');
  await expect(temperature).toBeFocused();
  await tabTo(page, page.getByRole('combobox', { name: 'Screen' }));
  await page.keyboard.type('Tags');
  await expect(toasts(page)).toContainText('Tags (Settings) is now your first screen');
  await page.goto('/');
  await expect(page).toHaveURL(/\/settings\/tags$/);
  await press(page, 'g ,');
  await expect(temperature).toHaveValue('KELVIN');
  await runFromPalette(page, 'me set-default-screen /devices', 'me set-default-screen /devices');
  await expect(toasts(page)).toContainText('Devices is now your first screen');
  await expectNoPointer(page);
});

test('sets the decimals of values, with an example in the preferred unit', async ({ page }) => {
  await signIn(page, 'developer', '/user/general');
  const decimals = section(page, 'Decimals');
  await expect(decimals).toContainText('As sent');
  await runFromPalette(page, 'me set-units --pressure psi', 'me set-units --pressure PSI');
  await expect(toasts(page)).toContainText('Set your units');
  await tabTo(page, decimals.getByRole('button', { name: 'Set decimals' }));
  await press(page, 'Enter');
  await page.keyboard.type('Pressure');
  await press(page, 'Enter');
  await press(page, 'Enter');
  await page.keyboard.type('2');
  await press(page, 'Enter');
  await press(page, 'Enter');
  await expect(decimals).toContainText('179.06 psi');
  await press(page, 'u');
  await expect(decimals).not.toContainText('psi');
  await expectNoPointer(page);
});

test('turns emails on, filters them, turns them off, and restores the filter with undo', async ({ page }) => {
  await signIn(page, 'viewer', '/user/email-preferences');
  const emails = section(page, 'Emails');
  await expect(emails).toContainText('Off');
  await tabTo(page, page.getByRole('button', { name: 'Turn emails on' }));
  await press(page, 'Enter');
  await expect(emails).toContainText('Everything');
  await expect(page.getByRole('button', { name: 'Turn emails off' })).toBeFocused();
  await tabTo(page, page.getByRole('combobox', { name: 'Only health changes to' }));
  await page.keyboard.type('Alarm');
  await expect(page.getByRole('option', { name: 'Alarm' })).toBeVisible();
  await press(page, 'Enter');
  await tabTo(page, page.getByRole('button', { name: 'Set email filters' }));
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Set your email filters');
  await expect(emails).toContainText('Alarm');
  await tabTo(page, page.getByRole('button', { name: 'Turn emails off' }));
  await press(page, 'Enter');
  await expect(emails).toContainText('Off');
  await press(page, 'u');
  await expect(emails).toContainText('Alarm');
  await expectNoPointer(page);
});

test('the profile screens are accessible', async ({ page }) => {
  await signIn(page, 'administrator');
  for (const [keys, name] of SCREENS) {
    await press(page, keys);
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
    await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    expect.soft(await findViolations(page), name).toEqual([]);
  }
});
