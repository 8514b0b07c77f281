import { findViolations } from './support/axe.ts';
import { palette, plan, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('creates, filters, edits, tags, duplicates, and deletes process points', async ({ page }) => {
  const points = rows(page, 'Process points');
  const annulus = points.filter({ hasText: 'Avocet 0 annulus A' });
  const flowLine = points.filter({ hasText: 'Avocet 0 flow line' });
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g p');

  await test.step('shows the newest values of each point', async () => {
    await expect(points.first()).toContainText(/Avocet 1, annulus A.* bar/);
  });

  await test.step('creates one in the form', async () => {
    await press(page, 'c p');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await press(page, 'Tab');
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Avocet 0 annulus A');
    await tabTo(page, page.getByRole('textbox', { name: 'Time zone' }));
    await page.keyboard.type('Europe/Amsterdam');
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText('Created the process point “Avocet 0 annulus A”');
    await expect(annulus).toBeVisible();
  });

  await test.step('creates another one in the palette and filters by type', async () => {
    await runFromPalette(
      page,
      "process-point create 'Avocet 0 flow line' --type WELL_FLOW_LINE --metadata max.bar=40",
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

  await test.step('edits one and undoes the edit', async () => {
    await runFromPalette(page, "process-point edit 'Avocet 0 flow line' --type PIPELINE", 'process-point edit');
    await expect(flowLine).toContainText('Pipeline');
    await press(page, 'u');
    await expect(flowLine).toContainText('Flow line');
  });

  await test.step("tags it with its well and stacks the tag's panel on its own", async () => {
    await runFromPalette(page, "tag create 'Avocet 0 well' --type well", 'tag create');
    await expect(toasts(page)).toContainText('Created the tag “Avocet 0 well”');
    await runFromPalette(page, "process-point tag 'Avocet 0 flow line' 'Avocet 0 well'", 'process-point tag');
    await expect(flowLine).toContainText('Avocet 0 well');
    await runFromPalette(page, "process-point open 'Avocet 0 flow line'", 'process-point open');
    const panel = page.getByRole('article', { name: 'Avocet 0 flow line' });
    await expect(panel).toContainText('max.bar: 40');
    expect.soft(await findViolations(page), 'panel').toEqual([]);
    await tabTo(page, panel.getByRole('button', { name: 'Avocet 0 well' }).first());
    await press(page, 'Enter');
    await expect(page.getByRole('article', { name: 'Avocet 0 well' })).toBeVisible();
    await press(page, 'Escape');
    await expect(panel).toBeVisible();
    await press(page, 'Escape');
  });

  await test.step('duplicates it and undoes that after the name of the copy is typed', async () => {
    await runFromPalette(page, "process-point duplicate 'Avocet 0 flow line'", 'process-point duplicate');
    await expect(points.filter({ hasText: 'Avocet 0 flow line (copy)' })).toContainText('Avocet 0 well');
    await expect(toasts(page)).toContainText('Duplicated 1 process point');
    await press(page, 'u');
    await expect(plan(page)).toContainText('Delete 1 process point');
    await enter(page, 'Avocet 0 flow line (copy)');
    await expect(points.filter({ hasText: '(copy)' })).toHaveCount(0);
  });

  await test.step('deletes it after its name is typed', async () => {
    await runFromPalette(page, "process-point delete 'Avocet 0 flow line'", 'process-point delete');
    await expect(plan(page)).toContainText('Delete 1 process point');
    await enter(page, 'Avocet 0 flow line');
    await expect(toasts(page)).toContainText('Deleted 1 process point');
    await expect(flowLine).toHaveCount(0);
    await expect(annulus).toBeVisible();
  });
  await expectNoPointer(page);
});

test('assigns devices over time and rejects anything that would end another assignment', async ({ page }) => {
  const name = 'Avocet 0 annulus D';
  const timeline = page.getByRole('grid', { name: `Devices of ${name}` });
  const bars = (device: string) => timeline.getByRole('gridcell', { name: new RegExp(device) });
  const number = 'CFC3 C7B6';
  const today = new Date();
  const daysAgo = (days: number): string =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() - days))
      .toISOString()
      .slice(0, 10);
  const sinceMonday = ((today.getUTCDay() + 6) % 7) + 7;
  const monday = daysAgo(sinceMonday);
  await watchPointer(page);
  await signIn(page, 'administrator');
  await press(page, 'g p');

  await test.step('assigns a device', async () => {
    await runFromPalette(page, `process-point create '${name}' --type WELL_ANNULUS_D`, 'process-point create');
    await expect(toasts(page)).toContainText(`Created the process point “${name}”`);
    await runFromPalette(
      page,
      `process-point assign-device '${name}' '${number}' --from ${monday}`,
      'process-point assign-device',
    );
    await expect(toasts(page)).toContainText(`to “${name}”`);
  });

  await test.step('shows the timeline', async () => {
    await runFromPalette(page, `process-point open '${name}'`, 'process-point open');
    await expect(page.getByRole('article', { name })).toBeVisible();
    // It acts on the open point, so it does not ask for one.
    await runFromPalette(page, 'process-point assignments', 'process-point assignments');
    await expect(page).toHaveURL(/\/process-points\/[^/]+\/assign$/);
    await expect(bars(number)).toHaveCount(1);
    await expect(bars(number)).toHaveAccessibleName(/, from .*, until now$/);
    expect.soft(await findViolations(page), 'timeline').toEqual([]);
  });

  await test.step('zooms in and shows everything again', async () => {
    const zoom = page.getByRole('group', { name: 'Visible time' });
    await expect(zoom.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true');
    await press(page, '+');
    await expect(zoom.getByRole('button', { pressed: true })).toHaveCount(0);
    await press(page, '0');
    await expect(zoom.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true');
  });

  await test.step('moves the start by two days after showing the plan, and undoes it', async () => {
    const before = await bars(number).getAttribute('aria-label');
    await press(page, 'Shift+ArrowLeft');
    await press(page, 'Shift+ArrowLeft');
    await expect(bars(number)).toHaveAccessibleName(/planned$/);
    const plannedMove = page.getByRole('region', { name: 'Planned move' });
    await expect(plannedMove).toContainText('Move the start of');
    await press(page, 'Enter');
    await expect(toasts(page)).toContainText('Moved the start of');
    await expect(bars(number)).not.toHaveAccessibleName(before!);
    await press(page, 'u');
    await expect(bars(number)).toHaveAccessibleName(before!);
  });

  await test.step('rejects a conflict until it is overridden', async () => {
    const [startDay, endDay] = [daysAgo(sinceMonday + 15), daysAgo(sinceMonday + 5)];
    await runFromPalette(
      page,
      `process-point assign-device '${name}' '${number}' --from ${startDay} --until ${endDay}`,
      'process-point assign-device',
    );
    await expect(bars(number)).toHaveCount(2);
    for (let day = 0; day < 8; day++) await press(page, 'Shift+ArrowLeft');
    await expect(timeline.getByRole('alert')).toContainText('measured');
    await expect(bars(number).first()).toHaveAccessibleName(/in conflict$/);
    await press(page, 'Enter');
    await expect(bars(number).last()).toHaveAccessibleName(/in conflict$/);
    await press(page, '!');
    await expect(page.getByRole('region', { name: 'Planned move' })).toContainText('Ends the assignment');
    await press(page, 'Escape');
    await expect(timeline.getByRole('alert')).toHaveCount(0);
  });

  await test.step('reports the row and column of a problem in a table, and imports nothing', async () => {
    await press(page, 'g p');
    await runFromPalette(page, 'process-point import-assignments', 'process-point import-assignments');
    const table = page.getByRole('textbox', { name: 'Rows' });
    await tabTo(page, table);
    const validRow = `A0A0 A0A0,${name},31-12-2026`;
    await page.keyboard.insertText(`device,point,from\n${validRow}`);
    await press(page, 'Control+Enter');
    await expect(page.getByText(/Row 2, from: “31-12-2026” isn't a time/)).toBeVisible();
    await expect(table).toHaveValue(`device,point,from\n${validRow}`);
  });
  await expectNoPointer(page);
});
