import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { rows, signIn, statusLine, table, toasts } from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const editor = (page: Page, title: string) => page.getByRole('group', { name: new RegExp(`^Edit ${title} of `) });

test('F2 edits the cells of a row in place, by keyboard, and u undoes each of them', async ({ page }) => {
  await signIn(page, 'administrator', '/devices?filter=type:VALVE+sort:-number');
  const row = rows(page, 'Devices').first();
  await expect(row).toContainText('Valve');
  const cells = row.getByRole('gridcell');
  const [name, lifecycle] = [cells.nth(3), cells.nth(5)];
  const nameBefore = await name.innerText();
  await expect(lifecycle).toHaveText('Installed');
  await table(page, 'Devices').focus();

  // Typing right after F2 goes into the field, and replaces its value.
  await press(page, 'F2');
  await page.keyboard.type('Renamed in its cell');
  await expect(editor(page, 'name').getByRole('textbox', { name: /^Name/ })).toHaveValue('Renamed in its cell');
  expect(await findViolations(page)).toEqual([]);
  await press(page, 'Tab');
  const choice = editor(page, 'lifecycle').getByRole('combobox', { name: /^Lifecycle/ });
  await expect(choice).toBeFocused();
  await expect(name).toHaveText('Renamed in its cell');
  await choice.press('ArrowDown');
  await press(page, 'Enter');
  await expect(editor(page, 'lifecycle')).toHaveCount(0);
  await expect(lifecycle).toHaveText('Paused');
  await expect(table(page, 'Devices')).toBeFocused();

  // The next cell to edit is in the same column. Nothing is saved without input, and Escape discards it.
  await press(page, 'F2');
  await expect(choice).toBeFocused();
  await press(page, 'Shift+Tab');
  await expect(editor(page, 'name').getByRole('textbox')).toBeFocused();
  await page.keyboard.type('Discarded');
  await press(page, 'Escape');
  await expect(editor(page, 'name')).toHaveCount(0);
  await expect(statusLine(page)).toContainText('device set-lifecycle');
  await expect(name).toHaveText('Renamed in its cell');

  await press(page, 'u');
  await expect(lifecycle).toHaveText('Installed');
  await press(page, 'u');
  await expect(name).toHaveText(nameBefore);
});

test('F2 keeps a refused value in its cell, and keeps the input when another row is clicked', async ({ page }) => {
  await signIn(page, 'administrator', '/settings/tags?filter=type:well');
  await expect(rows(page, 'Tags').first()).toContainText('Well');
  const taken = await rows(page, 'Tags').nth(1).getByRole('gridcell').nth(1).innerText();
  await press(page, 'F2');
  const field = editor(page, 'name').getByRole('textbox', { name: /^Name/ });
  await page.keyboard.type(' ');
  await press(page, 'Tab');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toBeFocused();
  await field.press('Backspace');
  await page.keyboard.type(taken);
  await press(page, 'Tab');
  // The server refuses it. The editor is still there after the table of failures.
  await expect(page.getByRole('dialog')).toContainText(taken);
  await press(page, 'Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(field).toHaveValue(taken);
  await rows(page, 'Tags').nth(6).click();
  await expect(field).toHaveCount(0);
  await expect(toasts(page)).toContainText('Not saved yet');
});

test('F2 names the missing permission', async ({ page }) => {
  await signIn(page, 'viewer', '/devices');
  await expect(rows(page, 'Devices').first()).toBeVisible();
  await press(page, 'F2');
  await expect(toasts(page)).toContainText('permission');
  await expect(page.getByRole('group', { name: /^Edit / })).toHaveCount(0);
});
