import { readFile } from 'node:fs/promises';

import { findViolations } from './support/axe.ts';
import { filterDevices, matchCount, plan, rows, signIn, toasts } from './support/console.ts';
import { expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { performTask } from './support/tasks.ts';
import { expect, test } from './support/test.ts';

test('exports 30 days of the selection, and downloads the file when it is ready', async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'operator');
  await filterDevices(page, 'health:ERROR');
  await expect(matchCount(page)).toHaveText(/^\d+ devices?$/);
  await expect(rows(page, 'Devices').nth(1)).toBeVisible();

  await press(page, 'x j x');
  await performTask(page, 'export 30 days of the selection', async (next) => {
    await next();
    await expect(plan(page)).toContainText(/Export the messages of 2 devices as “messages \d{8}-\d{8}”/);
    await expect(plan(page)).toContainText('Device number,Device identifier');
    expect.soft(await findViolations(page), 'plan').toEqual([]);
    await next();
    await expect(toasts(page)).toContainText('Requested the export');
  });

  await test.step('is told when it is ready', async () => {
    await expect(toasts(page)).toContainText('is ready', { timeout: 30_000 });
  });

  await test.step('lists it, and downloads it', async () => {
    await press(page, 'g e');
    await expect(page).toHaveURL(/\/settings\/exports/);
    const exports = rows(page, 'Exports');
    await expect(exports.first()).toContainText('Ready');
    await expect(exports.filter({ hasText: 'Everything since 2019' })).toContainText('Failed');
    expect.soft(await findViolations(page), 'list').toEqual([]);
    await press(page, 'Enter');
    const panel = page.getByRole('article', { name: /messages \d{8}-\d{8}/ });
    await expect(panel).toContainText('Messages');
    expect.soft(await findViolations(page), 'panel').toEqual([]);
    const download = page.waitForEvent('download');
    await press(page, 'z');
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^messages \d{8}-\d{8}\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^Device number,Device identifier,Device name,Sent at,Received at/);
    expect(lines.length).toBeGreaterThan(2);
    expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(2);
  });

  await test.step('asks before it deletes it', async () => {
    await press(page, 'd');
    await expect(plan(page)).toContainText('Delete 1 export with their files');
    await press(page, 'Escape');
  });
  await expectNoPointer(page);
});

test('says who can grant access to exports', async ({ page }) => {
  await signIn(page, 'viewer');
  await page.goto('/settings/exports');
  await expect(page.getByRole('main')).toContainText('You need the “Create and download exports” permission');
});
