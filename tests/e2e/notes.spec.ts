import type { Page } from '@playwright/test';

import { findViolations } from './support/axe.ts';
import { signIn } from './support/console.ts';
import { enter, expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { quarterdeck, signInTerminal, type Terminal } from './support/programs.ts';
import { expect, newContext, test } from './support/test.ts';

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

test('an empty log of a device names the command, or the reason why it cannot run', async ({
  page,
  baseURL,
  browser,
}) => {
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
    await expect(viewerPage.getByRole('button', { name: /^Add note/ })).toHaveCount(0);
  });

  await expectNoPointer(page);
  await viewerContext.close();
});
