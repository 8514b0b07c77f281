import type { Page } from '@playwright/test';

import {
  filterDevices,
  matchCount,
  newestToast,
  palette,
  plan,
  rows,
  selectedRow,
  signIn,
  statusLine,
  table,
} from './support/console.ts';
import { press } from './support/keyboard.ts';
import { performTask } from './support/tasks.ts';
import { expect, test } from './support/test.ts';

const firstSuggestion = (page: Page) => page.getByRole('listbox').getByRole('option').first();

test('fleet tasks stay within their keystroke budgets', async ({ page }) => {
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);

  let count = '';
  await performTask(page, 'select all devices in error', async (next) => {
    await next();
    await expect(statusLine(page)).toContainText(/→ \d+ in error/);
    count = /\d+/.exec(await statusLine(page).innerText())?.[0] ?? '';
  });
  expect(Number(count)).toBeGreaterThan(100);

  await performTask(page, 'assign an existing tag to the selection', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Winterized');
    await expect(plan(page)).toContainText('Assign “Winterized”');
    await next();
    await expect(newestToast(page)).toContainText('Assigned “Winterized”');
  });
  await performTask(page, 'undo a bulk change', async (next) => {
    await next();
    await expect(newestToast(page)).toContainText('Removed “Winterized”');
  });
  await performTask(page, 'repeat it', async (next) => {
    await next();
    await expect(newestToast(page)).toContainText('Assigned “Winterized”');
    await expect(palette(page)).toBeHidden();
  });
  await page.keyboard.press('u');
  await expect(newestToast(page)).toContainText('Removed “Winterized”');

  await performTask(page, 'set the lifecycle of the selection', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Paused');
    await expect(plan(page)).toContainText('to Paused');
    await next();
    await expect(newestToast(page)).toContainText('to Paused');
  });
  await page.keyboard.press('u');
  await expect(statusLine(page).getByRole('button', { name: 'Undo' })).toBeHidden();

  await filterDevices(page, 'health:OK');
  const number = /[0-9A-F]{4} [0-9A-F]{4}/.exec(await rows(page, 'Devices').nth(2).innerText())?.[0] ?? '';
  await performTask(page, 'open a device by its number', async (next) => {
    // Doesn't wait for the result before Enter.
    await next(number.slice(0, 4));
    await expect(page.getByRole('article')).toContainText(number);
  });
  await page.keyboard.press('Escape');
});

test('integration tasks stay within their keystroke budgets', async ({ page }) => {
  await signIn(page, 'administrator');
  await performTask(page, 'create a webhook with an event and a tag', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next('https://budget.example/hook');
    const form = page.getByRole('group', { name: 'Create webhook' });
    await expect(form).toBeVisible();
    await next();
    await expect(form.getByRole('combobox', { name: 'Events', exact: true })).toBeFocused();
    await next();
    await expect(firstSuggestion(page)).toHaveText(/Message received/);
    await next();
    await expect(form.getByRole('combobox', { name: 'Tags to listen to' })).toBeFocused();
    await next();
    await expect(firstSuggestion(page)).toHaveText(/Winterized/);
    await next();
    await expect(newestToast(page)).toContainText('https://budget.example/hook');
  });

  // Nothing listens at that URL, so the webhook fails when a winterized device sends its first message. One device in
  // seventeen is winterized.
  await press(page, 'g w');
  const failing = page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /Failing/ });
  await expect(failing).toContainText('1', { timeout: 60_000 });
  await press(page, 'g d');
  await expect(table(page, 'Devices')).toBeVisible();
  // A plan for several webhooks would also need Enter. Only this webhook is failing, so the command runs immediately.
  await performTask(page, 'disable all failing webhooks', async (next) => {
    await next();
    await expect(table(page, 'Webhooks')).toBeVisible();
    await next();
    await expect(newestToast(page)).toContainText(/Disabled/);
  });
  await page.keyboard.press('u');
  await expect(newestToast(page)).toContainText(/Enabled/);
});

test('switching to one of 600 organizations and back stays within its keystroke budget', async ({ page }) => {
  await signIn(page, 'support', '/devices');
  for (const [letters, name] of [
    // Organizations without an open support session from another test, which would skip the reason prompt.
    ['cas', /^Cas/],
    ['zst', 'Zephyr Storage'],
  ] as const) {
    await performTask(page, 'act as one of 600 organizations', async (next) => {
      await next();
      await expect(palette(page).getByRole('combobox')).toBeFocused();
      await next(letters);
      await expect(selectedRow(page)).toContainText(name);
      await next();
      await expect(palette(page).getByRole('combobox', { name: /Reason/ })).toBeFocused();
      await next('ticket 4711\n');
      await expect(page.getByRole('button', { name: /acting for/ })).toBeVisible();
    });
    await performTask(page, 'return from it', async (next) => {
      await next();
      await expect(page.getByRole('button', { name: /^Quarterdeck Operations/ })).toBeVisible();
    });
  }
  await expect(matchCount(page)).toBeVisible();
});
