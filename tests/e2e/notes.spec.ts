import type { Locator, Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal, type Terminal } from './support/programs.ts';
import { expect, newContext, test } from './support/test.ts';

const notes = (page: Page): Locator => page.getByRole('list', { name: 'Notes' });

async function print(terminal: Terminal, line: string): Promise<unknown> {
  const { code, output, errors } = await quarterdeck(terminal, `${line} --json`);
  expect(code, errors).toBe(0);
  return JSON.parse(output);
}

/** Returns the number of a device without notes. */
async function findNumber(terminal: Terminal): Promise<string> {
  const { items } = (await print(terminal, 'devices lifecycle:INSTALLED --limit 20')) as {
    items: readonly { number: string }[];
  };
  for (const { number } of items) {
    if (((await print(terminal, `notes '${number}'`)) as unknown[]).length === 0) return number;
  }
  throw new Error('Every device has notes.');
}

/** Opens a device in the panel, on the tab with its notes. */
async function openNotes(page: Page, number: string): Promise<void> {
  await press(page, '/');
  await enter(page, number);
  await press(page, 'j');
  await press(page, 'Enter');
  await expect(page.getByRole('article')).toBeVisible();
  for (const tab of ['Values', 'Messages', 'Events', 'Notes']) {
    await press(page, '}');
    await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
  }
}

test('keeps a log of a device, which two consoles share', async ({ page, baseURL, browser }) => {
  await watchPointer(page);
  const terminal = await signInTerminal(baseURL ?? '', 'operator');
  const number = await findNumber(terminal);
  await signIn(page, 'operator');
  const viewerContext = await newContext(browser, baseURL === undefined ? {} : { baseURL });
  const viewerPage = await viewerContext.newPage();

  await test.step('an empty log names the command that adds a note', async () => {
    await openNotes(page, number);
    await expect(page.getByRole('article')).toContainText('No notes yet');
    expect.soft(await findViolations(page), 'empty').toEqual([]);
    await signIn(viewerPage, 'viewer');
    await openNotes(viewerPage, number);
    await expect(viewerPage.getByRole('article')).toContainText('No notes yet');
    await expect(viewerPage.getByRole('article')).toContainText('You need the “Write notes about devices” permission.');
    await expect(viewerPage.getByRole('button', { name: /^Add note/ })).toHaveAttribute('aria-disabled', 'true');
  });

  await test.step('adds a note of two lines for a step of a guide', async () => {
    await tabTo(page, page.getByRole('button', { name: /^Add note/ }));
    await press(page, 'Enter');
    const text = page.getByRole('textbox', { name: 'Text' });
    await expect(text).toBeFocused();
    await enter(page, 'Bracket is lose.');
    await page.keyboard.type('See https://example.com/manual.');
    await tabTo(page, page.getByRole('textbox', { name: 'Guide' }));
    await page.keyboard.type('Sensor installation');
    await tabTo(page, page.getByRole('textbox', { name: 'Step' }));
    await page.keyboard.type('3 Bracket');
    await press(page, 'Control+Enter');
    const formPlan = page.getByRole('region', { name: 'Plan' });
    await expect(formPlan).toContainText('Add a note to 1 device');
    await expect(formPlan).toContainText("can't be undone");
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Added a note to 1 device');
    await expect(notes(page).getByRole('group')).toHaveCount(1);
    await expect(notes(page).getByRole('group')).toContainText('Anna Vermeer');
    await expect(notes(page).getByText('Bracket is lose.\nSee https://example.com/manual.')).toBeVisible();
    await expect(notes(page).getByRole('link')).toHaveAttribute('href', 'https://example.com/manual');
    await expect(notes(page).getByRole('heading', { name: 'Sensor installation' })).toBeVisible();
    await expect(notes(page).getByRole('heading', { name: '3 Bracket' })).toBeVisible();
    expect.soft(await findViolations(page), 'log').toEqual([]);
  });

  await test.step('the other console shows the note by itself, without a button to edit it', async () => {
    await expect(notes(viewerPage)).toContainText('Bracket is lose.', { timeout: 30_000 });
    await expect(viewerPage.getByRole('button', { name: 'Edit note 1' })).toHaveCount(0);
  });

  await test.step('edits the note, and shows its earlier text', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Edit note 1' }));
    await press(page, 'Enter');
    const text = page.getByRole('textbox', { name: 'Text' });
    await expect(text).toHaveValue('Bracket is lose.\nSee https://example.com/manual.');
    await tabTo(page, text);
    await press(page, 'Control+a');
    await page.keyboard.type('Bracket is loose.');
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Edited note 1');
    const earlier = notes(page).getByRole('button', { name: /^Edited .+1 earlier text$/ });
    await tabTo(page, earlier);
    await press(page, 'Enter');
    await expect(notes(page)).toContainText('Bracket is lose.');
    expect.soft(await findViolations(page), 'history').toEqual([]);
    await press(page, 'Escape');
    await expect(earlier).toBeFocused();
    await expect(notes(page)).not.toContainText('Bracket is lose.');
  });

  await test.step('undo restores the text, and keeps both texts', async () => {
    await press(page, 'u');
    await expect(notes(page).getByRole('button', { name: /2 earlier texts$/ })).toBeVisible();
    await expect(notes(page)).toContainText('Bracket is lose.');
    expect(await print(terminal, `notes '${number}'`)).toMatchObject([
      { noteId: '1', messageHistory: [expect.stringContaining('lose'), 'Bracket is loose.'] },
    ]);
  });

  await test.step('searches the log', async () => {
    const added = await quarterdeck(terminal, `device add-note '${number}' 'Checked the antenna' --yes`);
    expect(added).toMatchObject({ code: 0 });
    await expect(notes(page).getByRole('group')).toHaveCount(2, { timeout: 30_000 });
    await tabTo(page, page.getByRole('textbox', { name: 'Search' }));
    await page.keyboard.type('antenna');
    await expect(notes(page).getByRole('group')).toHaveCount(1);
    await expect(notes(page)).toContainText('Checked the antenna');
  });
  await expectNoPointer(page);
  await viewerContext.close();
});
