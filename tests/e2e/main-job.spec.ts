import {
  clipboard,
  expectFiltered,
  filterDevices,
  matchCount,
  numberIn,
  palette,
  plan,
  rows,
  signIn,
  statusLine,
  table,
  toasts,
} from './support/console.ts';
import { enter, expectNoPointer, press, tabTo, watchPointer } from './support/keyboard.ts';
import { startReceiver, type Receiver } from './support/programs.ts';
import { expect, test } from './support/test.ts';

const SECRET = 'a secret for visits';
let receiver: Receiver;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
test.beforeAll(async () => {
  receiver = await startReceiver(SECRET);
});
test.afterAll(() => receiver.stop());

test('tags devices in error, notifies a receiver, and reads the call, by keyboard alone', async ({ page }) => {
  await watchPointer(page);

  await test.step('sees a fleet of 2,000', async () => {
    await signIn(page, 'administrator');
    await expect(table(page, 'Devices')).toHaveAttribute('aria-rowcount', '2001');
    await expect(page.getByRole('button', { name: /^Northwind Energy/ })).toBeVisible();
  });

  let matched = 0;
  await test.step('selects all devices in error, far beyond the visible rows', async () => {
    await filterDevices(page, 'health:ERROR');
    await expectFiltered(page);
    matched = numberIn(await matchCount(page).innerText());
    await press(page, '*');
    await expect(statusLine(page)).toContainText(`→ ${matched} in error`);
    expect(matched).toBeGreaterThan(100);
    expect(matched).toBeGreaterThan(await rows(page, 'Devices').count());
  });

  await test.step('reads the plan to assign a new tag', async () => {
    await press(page, 't');
    await page.keyboard.type('Needs visit');
    await expect(palette(page).getByRole('option', { name: 'Create tag “Needs visit”' })).toBeVisible();
    await expect(plan(page)).toContainText(/Assign “Needs visit” to \d+ devices in Northwind Energy/);
    await expect(plan(page)).toContainText('reversible');
    await expect(plan(page)).toContainText("tag assign health:ERROR --tag 'Needs visit'");
  });

  let tagged = 0;
  await test.step('runs exactly that plan', async () => {
    tagged = numberIn((await plan(page).innerText()).replace(/^Assign “Needs visit” to /, ''));
    await press(page, 'Enter');
    await expect(palette(page)).toBeHidden();
    await expect(toasts(page)).toContainText(`Assigned “Needs visit” to ${tagged} devices`);
    await filterDevices(page, 'tag:"Needs visit"');
    await expect(matchCount(page)).toHaveText(`${tagged} devices`);
  });

  await test.step('undoes and repeats it', async () => {
    await press(page, 'u');
    await expect(toasts(page)).toContainText(`Removed “Needs visit” from ${tagged} devices`);
    await expect(matchCount(page)).toHaveText('0 devices');
    await filterDevices(page, 'health:ERROR');
    await press(page, '* .');
    const newest = toasts(page).getByRole('listitem').last();
    await expect(newest).toContainText('Assigned “Needs visit”');
    tagged = numberIn(await newest.innerText());
    await filterDevices(page, 'tag:"Needs visit"');
    await expect(matchCount(page)).toHaveText(`${tagged} devices`);
  });

  await test.step('copies its command line', async () => {
    await press(page, 'y');
    await enter(page, 'last command');
    await expect(toasts(page)).toContainText('Copied: Last command line');
    await expect.poll(() => clipboard(page)).toBe("tag assign health:ERROR --tag 'Needs visit'");
  });

  await test.step('creates a webhook for the messages of the tagged devices', async () => {
    await press(page, 'c w');
    await page.keyboard.type(receiver.url);
    await press(page, 'Tab');
    const form = page.getByRole('group', { name: 'Create webhook' });
    await tabTo(page, form.getByLabel('Description'));
    await page.keyboard.type('Visits');
    await tabTo(page, form.getByRole('combobox', { name: 'Events', exact: true }));
    await page.keyboard.type('message received');
    await expect(page.getByRole('option', { name: 'Message received' })).toBeVisible();
    await press(page, 'Enter');
    await tabTo(page, form.getByRole('combobox', { name: 'Tags to listen to' }));
    await page.keyboard.type('Needs v');
    await expect(page.getByRole('option', { name: 'Needs visit' })).toBeVisible();
    await press(page, 'Enter');
    await tabTo(page, form.getByLabel('Secret'));
    await page.keyboard.type(SECRET);
    await expect(form).toContainText('--secret @ask');
    await press(page, 'Control+Enter');
    await expect(toasts(page)).toContainText(`for ${receiver.url}`);
  });

  await test.step('gets a signed call as soon as a tagged device sends a message', async () => {
    await expect.poll(() => receiver.lines().join('\n'), { timeout: 60_000 }).toContain('signature OK');
    expect(receiver.lines()[0]).toMatch(/MESSAGE_RECEIVED {2}[0-9A-F]{4} [0-9A-F]{4} .* signature OK {2}delivery \S+$/);
  });

  await test.step('reads that call in the side panel', async () => {
    await press(page, 'g w /');
    await enter(page, 'description:Visits');
    await expect(rows(page, 'Webhooks')).toHaveCount(1);
    await press(page, 'Enter');
    const panel = page.getByRole('article', { name: 'Visits' });
    await tabTo(page, panel.getByRole('tab', { name: 'Overview' }));
    await press(page, 'ArrowRight');
    const call = panel.getByRole('button', { name: /Delivered.*Message received/ }).last();
    await tabTo(page, call);
    await press(page, 'Enter');
    await expect(panel.getByRole('definition').filter({ hasText: '"MESSAGE_RECEIVED"' })).toContainText('"number": "');
  });

  await test.step('copies the command line of the webhook', async () => {
    await press(page, 'y');
    await enter(page, 'last command');
    await expect(toasts(page)).toContainText('Copied: Last command line');
    await expect
      .poll(() => clipboard(page))
      .toBe(
        `webhook create ${receiver.url} --description Visits --events MESSAGE_RECEIVED --tags 'Needs visit' --secret @ask`,
      );
  });

  await expectNoPointer(page);
});
