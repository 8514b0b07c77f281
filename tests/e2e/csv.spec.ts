import { readFile } from 'node:fs/promises';

import { findViolations } from './support/axe.ts';
import { palette, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('imports tags from a pasted table, fixes a wrong row, downloads them, and undoes the import', async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'administrator', '/settings/tags');
  const form = page.getByRole('group', { name: 'Import tags' });
  const table = form.getByRole('textbox', { name: 'Rows' });
  const lines = ['Name\tType\tPriority', 'Csv heron\twell\t1', 'Csv egret\tpump\t2', '=Csv stork\tsite\t3'];

  await test.step('reports the row, the column, and what is wrong, and keeps the table', async () => {
    await runFromPalette(page, 'tag import', 'Import tags');
    await tabTo(page, table);
    await page.keyboard.insertText(lines.join('\n'));
    await press(page, 'Control+Enter');
    await expect(form.getByText(/Row 3, Type: Only support can set the custom type “pump”/)).toBeVisible();
    expect(await findViolations(page)).toEqual([]);
  });

  await test.step('saves the wrong row as a CSV to fix', async () => {
    const save = form.getByRole('checkbox', { name: 'Save rows with problems as a CSV to fix' });
    await tabTo(page, save);
    await press(page, 'Space');
    const download = page.waitForEvent('download');
    await press(page, 'Control+Enter');
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('tags-to-fix.csv');
    const [head, row] = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(head).toBe('Name,Type,Priority,error');
    expect(row).toMatch(/^Csv egret,pump,2,.*Only support can set the custom type “pump”/);
    await expect(toasts(page)).toContainText('Saved 1 row to fix as tags-to-fix.csv');
  });

  await test.step('shows the plan of the fixed table, and creates the tags', async () => {
    await runFromPalette(page, 'tag import', 'Import tags');
    await tabTo(page, table);
    await page.keyboard.insertText(lines.join('\n').replace('pump', 'group'));
    await press(page, 'Control+Enter');
    await expect(form.getByText('Import 3 tags')).toBeVisible();
    await expect(form.getByText('Creates 3')).toBeVisible();
    await expect(form.getByText('Columns: Name, Type, Priority')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Imported 3 tags');
    await expect(form).toHaveCount(0);
  });

  await test.step('downloads the filtered rows with the columns and the sort of the table', async () => {
    await press(page, '/');
    await enter(page, 'csv sort:-priority');
    await expect(rows(page, 'Tags')).toHaveCount(3);
    await expect(page.getByRole('button', { name: 'Download as CSV' })).toBeVisible();
    const download = page.waitForEvent('download');
    await press(page, '>');
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^tags-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await saved.path(), 'utf8');
    expect(text.split('\r\n').map((line) => line.split(',').slice(0, 2).join())).toEqual([
      '\uFEFFname,type',
      "'=Csv stork,site",
      'Csv egret,group',
      'Csv heron,well',
      '',
    ]);
    await expect(toasts(page)).toContainText('Downloaded 3 rows');
  });

  await test.step('undo deletes all of them together', async () => {
    await press(page, 'u');
    await expect(palette(page).getByRole('combobox')).toHaveAttribute('placeholder', 'Type 3 to confirm');
    await enter(page, '3');
    await expect(rows(page, 'Tags')).toHaveCount(0);
  });
  await expectNoPointer(page);
});
