import { matchCount, palette, plan, signIn, statusLine, toasts } from './support/console.ts';
import { enter, press, tabTo } from './support/keyboard.ts';
import { quarterdeck, signInTerminal } from './support/programs.ts';
import { expect, test } from './support/test.ts';

/** How long each call takes, so there is time to pause and to reload. */
const CALL_MS = 2200;

const TAG = 'Whole fleet';

test('a change of the whole fleet runs in stages, pauses, and continues after a reload', async ({ page, baseURL }) => {
  // The browser asks before it leaves a page whose change is running.
  page.on('dialog', (dialog) => void dialog.accept());
  await signIn(page, 'administrator');
  const terminal = await signInTerminal(baseURL ?? '', 'administrator');
  // An earlier attempt may have left it.
  await quarterdeck(terminal, `tag delete '${TAG}' --yes`);
  const created = await quarterdeck(terminal, `tag create '${TAG}'`);
  expect(created.code, created.errors).toBe(0);
  await page.route('**/UpdateTags', async (route) => {
    await page.waitForTimeout(CALL_MS);
    // The page may have closed.
    await route.continue().catch(() => undefined);
  });

  await test.step('the plan states the stages and the limit of failures', async () => {
    await press(page, '* t');
    await expect(palette(page)).toBeVisible();
    await page.keyboard.type('Whole fleet');
    await expect(plan(page)).toContainText('Assign “Whole fleet” to 2,000 devices');
    await expect(plan(page)).toContainText('In stages: 1, then 10, then the rest. Stops if more than 5% fail.');
    await press(page, 'Enter');
  });

  await test.step('the run pauses between two calls, and continues', async () => {
    await expect(statusLine(page)).toContainText(/11 of 2,000.*\/s · \d+ m left/);
    await press(page, 'Shift+H');
    await expect(statusLine(page)).toContainText('Paused: Assign “Whole fleet”');
    await expect(statusLine(page)).toContainText('511 of 2,000');
    await expect(statusLine(page).getByRole('button', { name: 'Continue' })).toBeVisible();
    const nextCall = page.waitForRequest('**/UpdateTags');
    await press(page, 'Shift+C');
    await expect(statusLine(page)).not.toContainText('Paused');
    await nextCall;
  });

  await test.step('after a reload, only one tab offers to continue', async () => {
    await page.reload();
    await expect(toasts(page)).toContainText('Interrupted: Assign “Whole fleet” to 2,000 devices');
    await expect(toasts(page)).toContainText('511 done · 989 not tried · 500 without a response');
    const otherTab = await page.context().newPage();
    await otherTab.goto('/');
    await expect(statusLine(otherTab).getByText('live', { exact: true })).toBeVisible();
    await expect(statusLine(otherTab).getByText('→')).toBeVisible();
    await expect(toasts(otherTab).getByText('Interrupted')).toBeHidden();
    await otherTab.close();
  });

  await test.step('its results become the selection', async () => {
    await press(page, 'Shift+I');
    const report = page.getByRole('dialog', { name: /\(interrupted\)$/ });
    await expect(report).toBeVisible();
    await expect(report.getByRole('button', { name: 'Continue' })).toBeFocused();
    await tabTo(page, report.getByRole('button', { name: 'Select 989 not tried' }));
    await press(page, 'Enter');
    await expect(report).toBeHidden();
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('989 selected');
    await press(page, 'Escape');
  });

  await test.step('the rest is changed, and all of it can be undone', async () => {
    await page.unroute('**/UpdateTags');
    await press(page, 'Shift+C');
    await expect(toasts(page)).toContainText(/Assigned “Whole fleet” to [\d,]+ devices/);
    await expect(toasts(page)).not.toContainText('Interrupted');
    await press(page, '/');
    await enter(page, 'tag:"Whole fleet"');
    await expect(matchCount(page)).toHaveText('2,000 devices');
    await press(page, 'Escape u');
    await expect(toasts(page)).toContainText(/Removed “Whole fleet” from [\d,]+ devices/);
    // The interrupted part is still there.
    await expect(matchCount(page)).toHaveText(/^(511|1,011) devices$/);
    await press(page, 'u');
    await expect(plan(page)).toContainText('This change was interrupted');
    await press(page, 'Enter');
    await expect(matchCount(page)).toHaveText('0 devices');
  });

  const deleted = await quarterdeck(terminal, `tag delete '${TAG}' --yes`);
  expect(deleted.code, deleted.errors).toBe(0);
});
