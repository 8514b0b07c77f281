import { readFile } from 'node:fs/promises';

import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { plan, runFromPalette, signIn, toasts } from './support/console.ts';
import { expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

/** A device without files. */
const NAME = 'Annulus A pressure, Cormorant 4';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Copies an image as a screenshot tool does. */
const copyImage = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 64;
    const drawing = canvas.getContext('2d')!;
    drawing.fillStyle = 'teal';
    drawing.fillRect(0, 0, 64, 64);
    const image = await new Promise<Blob>((resolve) => canvas.toBlob((blob) => resolve(blob!)));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })]);
  });

test('pastes a photo of a device, shows it, downloads it, and removes it', async ({ page, baseURL }) => {
  // An earlier attempt may have left its file.
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  await quarterdeck(terminal, `device detach-file '${NAME}' image.png --yes`);
  await watchPointer(page);
  await signIn(page, 'administrator');
  await runFromPalette(page, `device open '${NAME}'`, 'device open');
  const panel = page.getByRole('article', { name: NAME });
  await expect(panel).toBeVisible();
  await runFromPalette(page, 'view show-tab files', 'view show-tab');
  const files = panel.getByRole('list', { name: 'Files' });

  await test.step('says how to attach the first file', async () => {
    await expect(panel.getByText('Drop files here, or paste them.')).toBeVisible();
    await expect(panel.getByRole('button', { name: 'Attach file' })).toBeVisible();
    expect.soft(await findViolations(page), 'no files').toEqual([]);
  });

  await test.step('attaches a pasted image and shows it', async () => {
    await copyImage(page);
    await press(page, 'Control+v');
    await expect(toasts(page)).toContainText('Attached “image.png”');
    await expect(files.getByRole('listitem')).toContainText('image.png');
    // Not by its role: an image without a text of its own has none, but the icon that precedes it does.
    const image = files.locator('img');
    await expect(image).toBeVisible();
    expect(await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))).toBe(
      64,
    );
    expect.soft(await findViolations(page), 'files').toEqual([]);
  });

  await test.step('downloads it as it was', async () => {
    await expect(files.getByRole('button', { name: 'Download file' })).toBeVisible();
    const download = page.waitForEvent('download');
    await tabTo(page, files.getByRole('button', { name: 'image.png' }));
    await press(page, 'Enter');
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('image.png');
    expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
  });

  await test.step('removes it after its name is typed', async () => {
    await tabTo(page, files.getByRole('button', { name: 'Detach file' }));
    await press(page, 'Enter');
    await expect(plan(page)).toContainText('A file that nothing else uses is deleted.');
    await page.keyboard.type('image.png');
    await press(page, 'Enter');
    await expect(toasts(page)).toContainText('Detached “image.png”');
    await expect(panel.getByText('Drop files here, or paste them.')).toBeVisible();
  });
  await expectNoPointer(page);
});

test('pastes a photo into a note while writing it, and downloads it from the log', async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'operator');
  await runFromPalette(page, `device open '${NAME}'`, 'device open');
  const panel = page.getByRole('article', { name: NAME });
  await expect(panel).toBeVisible();
  await runFromPalette(page, 'view show-tab notes', 'view show-tab');
  await tabTo(page, panel.getByRole('button', { name: /^Add note/ }));
  await press(page, 'Enter');
  const text = page.getByRole('textbox', { name: 'Text' });
  await expect(text).toBeFocused();
  await page.keyboard.type('The flange leaks');
  await copyImage(page);
  await press(page, 'Control+v');
  const chosen = page.getByRole('list', { name: 'Chosen files' });
  await expect(chosen.getByRole('listitem')).toContainText('image.png');
  await expect(text).toBeFocused();
  expect.soft(await findViolations(page), 'form with a file').toEqual([]);
  await press(page, 'Control+Enter');
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('Files: image.png.');
  await press(page, 'Control+Enter');
  await expect(toasts(page)).toContainText('Added a note');

  const note = panel.getByRole('listitem').filter({ hasText: 'The flange leaks' }).first();
  const image = note.locator('img');
  await expect(image).toBeVisible();
  expect(await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth))).toBe(
    64,
  );
  expect.soft(await findViolations(page), 'log with a file').toEqual([]);
  const download = page.waitForEvent('download');
  await tabTo(page, note.getByRole('button', { name: 'image.png' }));
  await press(page, 'Enter');
  const saved = await download;
  expect((await readFile(await saved.path())).subarray(1, 4).toString()).toBe('PNG');
  await expectNoPointer(page);
});
