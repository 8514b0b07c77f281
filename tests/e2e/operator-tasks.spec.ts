import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
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
import { enter, expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { performTask } from './support/tasks.ts';
import { expect, test } from './support/test.ts';

// The tasks that no other test performs. `support/tasks.ts` lists all of them.

const form = (page: Page, name: string) => page.getByRole('group', { name });
const formPlan = (page: Page) => page.getByRole('region', { name: 'Plan' });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText('Sensor');
});
test.afterEach(({ page }) => expectNoPointer(page));

const copy = (page: Page, text: string): Promise<void> =>
  page.evaluate((copiedText) => navigator.clipboard.writeText(copiedText), text);

/** Copies an image as a screenshot tool does. */
const copyImage = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 32;
    canvas.getContext('2d')!.fillRect(8, 8, 16, 16);
    const image = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!)));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
  });

/** Returns the numbers of some visible devices. */
async function readNumbers(page: Page, count: number): Promise<string[]> {
  const texts = await rows(page, 'Devices').allInnerTexts();
  return texts.slice(0, count).map((text) => /[0-9A-F]{4} [0-9A-F]{4}/.exec(text)?.[0] ?? '');
}

test('sets the lifecycle of a pasted list of devices, downloads it, and undoes it', async ({ page }) => {
  await filterDevices(page, 'lifecycle:INSTALLED type:SENSOR');
  await expect(rows(page, 'Devices').first()).toContainText('Installed');
  const numbers = await readNumbers(page, 4);
  await press(page, '1');
  await copy(page, numbers.join('\r\n'));
  await performTask(page, 'set the lifecycle of a pasted list of devices', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Show 4 devices');
    await next();
    await expect(matchCount(page)).toHaveText('4 devices');
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Spare');
    await expect(plan(page)).toContainText('Set lifecycle of 4 devices to Spare');
    await next();
    await expect(newestToast(page)).toContainText('Set lifecycle of 4 devices to Spare');
  });
  await expect(rows(page, 'Devices').filter({ hasText: 'Spare' })).toHaveCount(4);
  await performTask(page, 'download the filtered table as CSV', async (next) => {
    const download = page.waitForEvent('download');
    await next();
    expect((await download).suggestedFilename()).toMatch(/^devices-.*\.csv$/);
    await expect(newestToast(page)).toContainText('Downloaded 4 rows');
  });
  await press(page, 'u');
  await expect(rows(page, 'Devices').filter({ hasText: 'Installed' })).toHaveCount(4);
});

test('finds the devices behind a silent gateway', async ({ page }) => {
  await performTask(page, 'find the devices behind a silent gateway', async (next) => {
    await next();
    await expect(matchCount(page)).toHaveText(/^\d\d devices$/);
    await next();
    await expect(matchCount(page)).toHaveText(/^\d devices?$/);
    await expect(rows(page, 'Devices').first()).toContainText('Gateway');
    await next();
    await expect(page.getByRole('article')).toContainText('Gateway');
    await next();
    const devices = page.getByRole('article').getByRole('list', { name: 'Connected devices' });
    await expect(devices.getByRole('button').first()).toBeFocused();
  });
});

test('writes a note for a step of a guide, and attaches a photo', async ({ page }) => {
  await performTask(page, 'write a note for a step of a guide', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Add note');
    await next();
    await expect(form(page, 'Add note').getByRole('textbox', { name: 'Text' })).toBeFocused();
    await next('Tightened the bracket.', 'Sensor installation', '3 Bracket');
    await expect(formPlan(page)).toContainText('Add a note to 1 device');
    await next();
    await expect(newestToast(page)).toContainText('Added a note to 1 device');
  });
  await copyImage(page);
  await performTask(page, 'attach a photo to a device', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Attach file');
    await next();
    await expect(form(page, 'Attach file').getByRole('button', { name: /^File/ })).toBeFocused();
    expect.soft(await findViolations(page), 'form').toEqual([]);
    await next();
    await expect(form(page, 'Attach file')).toContainText('image.png');
    await next();
    await expect(newestToast(page)).toContainText('Attached “image.png”');
  });
  await press(page, 'u');
  await expect(plan(page)).toContainText('Detach “image.png”');
  await enter(page, 'image.png');
  await expect(newestToast(page)).toContainText('Detached “image.png”');
});

test('imports tags from pasted cells', async ({ page }) => {
  await copy(page, 'Name\tType\nPasted heron\twell\nPasted egret\tsite');
  await performTask(page, 'import tags from pasted cells', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Import tags');
    await next();
    await expect(form(page, 'Import tags').getByRole('textbox', { name: 'Rows' })).toBeFocused();
    expect.soft(await findViolations(page), 'form').toEqual([]);
    await next();
    await next();
    await expect(formPlan(page)).toContainText('Import 2 tags');
    await next();
    await expect(newestToast(page)).toContainText('Imported 2 tags');
  });
  await press(page, 'u');
  await expect(plan(page)).toContainText('Delete 2 tags');
  await enter(page, '2');
  await expect(newestToast(page)).toContainText('Deleted 2 tags');
});

test('assigns a parser to what matches a filter, and a device to a process point', async ({ page }) => {
  await filterDevices(page, 'health:ERROR');
  await expect(matchCount(page)).toHaveText(/^\d+ devices$/);
  await performTask(page, 'assign a parser to what matches a filter', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Assign parser');
    await next();
    await expect(palette(page).getByRole('combobox', { name: /Parser/ })).toBeFocused();
    await next();
    await expect(selectedRow(page)).toContainText('Valve actuator');
    await expect(plan(page)).toContainText(/Assign the parser “Valve actuator” to \d+ devices/);
    await next();
    await expect(newestToast(page)).toContainText('Assigned the parser “Valve actuator”');
  });
  await press(page, 'u');
  await expect(newestToast(page)).toContainText(/Removed|Unassigned/);

  await press(page, '1');
  await expect(matchCount(page)).toHaveText('2,000 devices');
  const [number = ''] = (await readNumbers(page, 9)).slice(-1);
  await performTask(page, 'assign a device to a process point', async (next) => {
    await next();
    await expect(rows(page, 'Process points').first()).toContainText('bar');
    await next();
    await expect(palette(page).getByRole('combobox', { name: /Devices/ })).toBeFocused();
    await next(number);
    await expect(selectedRow(page)).toContainText(number);
    await expect(plan(page)).toContainText('Assign “');
    await next();
    await expect(newestToast(page)).toContainText('Assigned');
  });
  await press(page, 'u');
  await expect(statusLine(page).getByRole('button', { name: 'Undo' })).toBeHidden();
  await expect(table(page, 'Process points')).toBeVisible();
});
