import { findViolations } from './support/axe.ts';
import { filterDevices, matchCount, palette, plan, rows, runFromPalette, signIn, toasts } from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { performTask } from './support/tasks.ts';
import { expect, test } from './support/test.ts';

test('transfers the selected devices, finds the transfer, and opens what is still there', async ({ page }) => {
  await watchPointer(page);
  await signIn(page, 'administrator');
  // Other tests count the devices that were there before.
  await runFromPalette(page, "device create 'Leaving 1,Leaving 2'", 'device create');
  await expect(plan(page)).toBeVisible();
  await press(page, 'Enter');
  await expect(toasts(page)).toContainText('Created 2 devices');
  await filterDevices(page, 'leaving');
  await expect(matchCount(page)).toHaveText('2 devices');
  const devices = rows(page, 'Devices');
  const first = (await devices.nth(0).getByRole('gridcell').allTextContents()).join(' ');
  const number = /[0-9A-F]{4} [0-9A-F]{4}/.exec(first)?.[0] ?? '';
  expect(number).not.toBe('');

  await press(page, 'x j x');
  await performTask(page, 'start a transfer of the selection', async (next) => {
    await next();
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await next();
    await expect(palette(page).getByRole('option', { name: /Northwind Permian/ })).toBeVisible();
    expect.soft(await findViolations(page), 'recipient').toEqual([]);
    await next();
    await expect(palette(page)).toContainText('Delete their messages and events');
    await next();
    await expect(plan(page)).toContainText('Transfer to Northwind Permian: 2 devices');
    await expect(plan(page)).toContainText('Permanently deletes their messages');
    await expect(plan(page)).toContainText(/Loses \d+ messages?/);
    // The plan still says what was agreed to.
    await expect(palette(page)).toContainText('Delete their messages and events');
    await expect(palette(page)).not.toContainText('acknowledge: Yes');
    expect.soft(await findViolations(page), 'plan').toEqual([]);
    await next('2');
    await expect(toasts(page)).toContainText('Transferred 2 devices to Northwind Permian');
  });

  await test.step('lists it under outbound transfers, with its devices', async () => {
    await press(page, 'g Shift+X');
    await expect(page).toHaveURL(/\/transfers\/outbound/);
    const sent = rows(page, 'Outbound');
    await expect(sent.first()).toContainText('Northwind Permian');
    await press(page, '/');
    await enter(page, `device:'${number}'`);
    await expect(sent).toHaveCount(1);
    expect.soft(await findViolations(page), 'list').toEqual([]);
    await press(page, 'Enter');
    const panel = page.getByRole('article', { name: /Northwind Permian/ });
    await tabTo(page, panel.getByRole('tab', { selected: true }));
    await press(page, 'ArrowRight');
    await expect(panel.getByRole('button', { name: new RegExp(number) })).toBeVisible();
    expect.soft(await findViolations(page), 'panel').toEqual([]);
    await tabTo(page, panel.getByRole('button', { name: new RegExp(number) }));
    await press(page, 'Enter');
    await expect(page.getByRole('article').filter({ hasText: number }).last()).toContainText('Ready to install');
    await press(page, 'Escape');
    await press(page, 'Escape');
  });

  await test.step('opens the inbound transfers, also by the old address', async () => {
    await press(page, 'g x');
    await expect(page).toHaveURL(/\/transfers\/inbound/);
    await page.goto('/transfers');
    await expect(page).toHaveURL(/\/transfers\/inbound/);
    await expect(
      page.getByRole('tab', { name: 'Inbound' }).or(page.getByRole('link', { name: 'Inbound' })),
    ).toBeVisible();
  });
  await expectNoPointer(page);
});
