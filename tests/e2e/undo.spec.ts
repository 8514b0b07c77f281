import {
  filterDevices,
  matchCount,
  palette,
  plan,
  runFromPalette,
  signIn,
  statusLine,
  toasts,
} from './support/console.ts';
import { enter, press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

test('undo asks for confirmation of deletions and stops at an irreversible change', async ({ page }) => {
  await signIn(page, 'administrator');
  // The live fleet changes health, but never the type, so the filter matches nothing after the change.
  await filterDevices(page, 'lifecycle:INSTALLED type:GATEWAY');

  await test.step('a bulk plan shows the change, and undo reverts it', async () => {
    await press(page, '* l');
    await page.keyboard.type('pau');
    await expect(plan(page)).toContainText(/Set lifecycle of [\d,]+ devices to Paused/);
    await expect(plan(page)).toContainText('Installed → Paused');
    await press(page, 'Enter');
    await expect(toasts(page)).toContainText(/Set lifecycle of [\d,]+ devices to Paused/);
    await expect(matchCount(page)).toHaveText('0 devices');
    await press(page, 'u');
    await expect(toasts(page)).toContainText(/Set lifecycle of [\d,]+ devices to Installed/);
    await expect(matchCount(page)).not.toHaveText('0 devices');
  });

  await test.step('undo still works after a reload', async () => {
    await press(page, '* l');
    await page.keyboard.type('pau');
    await expect(plan(page)).toContainText(/Set lifecycle of [\d,]+ devices to Paused/);
    await press(page, 'Enter');
    await expect(matchCount(page)).toHaveText('0 devices');
    await page.reload();
    await expect(statusLine(page)).toContainText('PAUSED');
    await expect(statusLine(page)).toContainText('live');
    await press(page, 'u');
    await expect(toasts(page)).toContainText(/Set lifecycle of [\d,]+ devices to Installed/);
  });

  await test.step('undoing the creation of a tag requires typing its name', async () => {
    await runFromPalette(page, "tag create 'Short lived'", 'tag create');
    await expect(toasts(page)).toContainText('Created the tag “Short lived”');
    await press(page, 'u');
    await expect(plan(page)).toContainText('Delete 1 tag');
    await expect(plan(page)).toContainText("can't be undone");
    await expect(palette(page).getByRole('option', { name: /Type Short lived/ })).toBeVisible();
    await enter(page, 'Short lived');
    await expect(toasts(page)).toContainText('Deleted 1 tag');
  });

  await test.step('an irreversible change blocks undoing older changes', async () => {
    await expect(toasts(page)).not.toContainText('Deleted 1 tag');
    await runFromPalette(page, "tag create 'For good'", 'tag create');
    await runFromPalette(page, "tag delete 'For good'", 'tag delete');
    await enter(page, 'For good');
    await expect(toasts(page)).toContainText('Deleted 1 tag');
    await press(page, 'u');
    await expect(toasts(page)).toContainText("This can't be undone: Delete 1 tag.");
    await expect(palette(page)).toBeHidden();
    await expect(statusLine(page).getByRole('button', { name: 'Undo' })).toBeHidden();
  });
});

test('a canceled run shows its completed part and offers to resume', async ({ page }) => {
  await signIn(page, 'administrator');
  await filterDevices(page, 'lifecycle:INSTALLED');
  await page.route('**/hiber.device.DeviceService/Update', async (route) => {
    await page.waitForTimeout(1000);
    await route.continue();
  });
  await press(page, '* l');
  await page.keyboard.type('pau');
  await expect(plan(page)).toContainText(/Set lifecycle of [\d,]+ devices to Paused/);
  await press(page, 'Enter');
  await expect(statusLine(page)).toContainText(/500 of 1,\d+/);
  await press(page, 'Shift+X');
  const offer = toasts(page).getByRole('button', { name: /^Continue with the remaining/ });
  await expect(offer).toBeVisible();
  const title = toasts(page).getByText(/^Set lifecycle of [\d,]+ devices to Paused/);
  const doneTitle = await title.innerText();
  expect((await title.boundingBox())?.width).toBeGreaterThan(150);
  await page.unroute('**/hiber.device.DeviceService/Update');
  await press(page, 'u');
  await expect(toasts(page)).toContainText(doneTitle.replace('Paused', 'Installed'));
});
