import { violations } from './support/axe.ts';
import { palette, plan, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('creates, filters, edits, tags, duplicates, and deletes process points', async ({ page }) => {
  const points = rows(page, 'Process points');
  const annulus = points.filter({ hasText: 'Avocet 1 annulus A' });
  const flowLine = points.filter({ hasText: 'Heron 2 flow line' });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g p');

  await test.step('explains an empty list', async () => {
    await expect(page.getByText('No process points yet')).toBeVisible();
    await expect(page.getByRole('main')).toContainText('such as a well head');
  });

  await test.step('creates one in the form', async () => {
    await press(page, 'c p');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await press(page, 'Tab');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Avocet 1 annulus A');
    await tabTo(page, page.getByRole('textbox', { name: 'Time zone' }));
    await page.keyboard.type('Europe/Amsterdam');
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Created the process point “Avocet 1 annulus A”');
    await expect(annulus).toBeVisible();
  });

  await test.step('creates another one in the palette, and filters by type', async () => {
    await runFromPalette(
      page,
      "process-point create 'Heron 2 flow line' --type WELL_FLOW_LINE --metadata max.bar=40",
      'process-point create',
    );
    await expect(flowLine).toContainText('Flow line');
    await press(page, '/');
    await enter(page, 'type:WELL_FLOW_LINE');
    await expect(annulus).toHaveCount(0);
    await expect(flowLine).toBeVisible();
    await press(page, 'g p');
    await expect(annulus).toBeVisible();
  });

  await test.step('edits one, and undoes the edit', async () => {
    await runFromPalette(page, "process-point edit 'Heron 2 flow line' --type PIPELINE", 'process-point edit');
    await expect(flowLine).toContainText('Pipeline');
    await press(page, 'u');
    await expect(flowLine).toContainText('Flow line');
  });

  await test.step('tags it with its well, and opens the tag on top of it', async () => {
    await runFromPalette(page, "tag create 'Heron 2 well' --type well", 'tag create');
    await expect(toasts(page)).toContainText('Created the tag “Heron 2 well”');
    await runFromPalette(page, "process-point tag 'Heron 2 flow line' 'Heron 2 well'", 'process-point tag');
    await expect(flowLine).toContainText('Heron 2 well');
    await runFromPalette(page, "process-point open 'Heron 2 flow line'", 'process-point open');
    const panel = page.getByRole('article', { name: 'Heron 2 flow line' });
    await expect(panel).toContainText('Max.bar: 40');
    expect.soft(await violations(page), 'panel').toEqual([]);
    await tabTo(page, panel.getByRole('button', { name: 'Heron 2 well' }).first());
    await press(page, 'Enter');
    await expect(page.getByRole('article', { name: 'Heron 2 well' })).toBeVisible();
    await press(page, 'Escape');
    await expect(panel).toBeVisible();
    await press(page, 'Escape');
  });

  await test.step('duplicates it, and undoes that after the name of the copy is typed', async () => {
    await runFromPalette(page, "process-point duplicate 'Heron 2 flow line'", 'process-point duplicate');
    await expect(points.filter({ hasText: 'Heron 2 flow line (copy)' })).toContainText('Heron 2 well');
    await expect(toasts(page)).toContainText('Duplicated 1 process point');
    await press(page, 'u');
    await expect(plan(page)).toContainText('Delete 1 process point');
    await enter(page, 'Heron 2 flow line (copy)');
    await expect(points.filter({ hasText: '(copy)' })).toHaveCount(0);
  });

  await test.step('deletes it after its name is typed', async () => {
    await runFromPalette(page, "process-point delete 'Heron 2 flow line'", 'process-point delete');
    await expect(plan(page)).toContainText('Delete 1 process point');
    await enter(page, 'Heron 2 flow line');
    await expect(toasts(page)).toContainText('Deleted 1 process point');
    await expect(flowLine).toHaveCount(0);
    await expect(annulus).toBeVisible();
  });
  await expectNoPointer(page);
});
