import type { Page } from '@playwright/test';

import { violations } from './support/axe.ts';
import { runFromPalette, signIn, toasts } from './support/console.ts';
import { expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

const definition = (type: string): string => `meta:
  id: bench_level
  endian: be
seq:
  - id: frame
    type: u1
  - id: level
    type: ${type}
`;
const LONG = `${definition('u8')}  - id: more\n    type: u8\n`;

/** Replaces the definition, as pasting a new one does. */
async function paste(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Definition' })).toBeFocused();
  await press(page, 'Control+a');
  await page.keyboard.insertText(text);
}

test('writes a parser by keyboard, and compares it with stored messages before saving', async ({ page }) => {
  const editor = page.getByRole('textbox', { name: 'Definition' });
  const bytes = page.getByLabel(/^\d+ bytes? by field$/);
  const result = page.getByRole('treegrid', { name: 'Result' });
  const stored = page.getByRole('treegrid', { name: 'Comparison of stored messages' });
  const save = page.getByRole('group', { name: 'Save', exact: true });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await runFromPalette(page, 'parser write', 'parser write');
  await expect(page).toHaveURL(/\/developer-tools\/parsers\/create/);

  await test.step('shows a mistake under its line', async () => {
    await paste(page, definition('nope'));
    await expect(editor.getByText(/Unable to find type 'nope'/)).toBeVisible();
    await expect(page.getByText('Error in line 8')).toBeVisible();
    await press(page, 'F6');
    await expect(editor).not.toBeFocused();
    await press(page, 'F8');
    await expect(editor).toBeFocused();
    await paste(page, definition('u2'));
    await expect(page.getByText('Definition is valid')).toBeVisible();
  });

  await test.step('shows the bytes, lines, and value of a field', async () => {
    const input = page.getByRole('textbox', { name: 'Paste bytes as hex' });
    for (let stops = 0; stops < 5 && !(await input.evaluate((field) => field === document.activeElement)); stops++) {
      await press(page, 'Shift+Tab');
    }
    await expect(input).toBeFocused();
    await page.keyboard.type('01 01 02');
    await expect(result).toContainText('258');
    await press(page, 'F6 F6');
    await expect(bytes).toBeFocused();
    await press(page, 'ArrowRight ArrowRight');
    await expect(bytes.getByRole('option', { selected: true })).toHaveAccessibleName(/01 ?02 ?level, bytes 1 to 2/);
    await expect(editor.locator('.cm-field-line')).toHaveCount(2);
    await expect(result.getByRole('row', { selected: true })).toContainText('level');
    await expect(page.getByRole('main')).toContainText('0000 0001 0000 0010');
  });

  await test.step('uploads it', async () => {
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('bench_level');
    await expect(page).toHaveURL(/\/parsers\/parser-[0-9a-f]+\/update/);
    await page.reload();
    await expect(save).toContainText('No changes to save.');
  });

  await test.step('compares stored messages, and opens a difference', async () => {
    await paste(page, LONG);
    const filter = page.getByRole('textbox', { name: 'Filter devices' });
    await press(page, 'F6 F6 F6');
    await expect(stored).toBeFocused();
    await press(page, 'Shift+Tab Shift+Tab Shift+Tab');
    await expect(filter).toBeFocused();
    await page.keyboard.type('type:SENSOR');
    await press(page, 'Enter');
    await expect(page.getByText('20 now fail')).toBeVisible();
    await expect(page.getByText('20 of 20 stored messages would no longer parse')).toBeVisible();
    await press(page, 'Tab Tab Tab');
    await expect(stored).toBeFocused();
    await press(page, 'n Enter');
    await expect(stored.getByRole('row', { expanded: true })).toContainText(
      /Field (level|more) at byte \d+: needs 8 bytes/,
    );
    await press(page, 'i');
    await expect(bytes).toContainText('fails here');
  });

  await test.step('saves a definition that parses all messages, after showing the plan', async () => {
    await press(page, 'F6');
    await paste(page, definition('u4'));
    await expect(page.getByText('20 changed')).toBeVisible();
    await expect(page.getByText('All 20 stored messages that parse still do')).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await press(page, 'Alt+Enter');
    await expect(save).toContainText('reversible');
    await press(page, 'Control+Enter');
    await expect(save).toContainText('No changes to save.');
  });

  await expectNoPointer(page);
});
