import {
  readClipboard,
  expectCellsFit,
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
import { enter, expectNoPointer, press, watchPointer } from './support/keyboard.ts';
import { startReceiver, type Receiver } from './support/programs.ts';
import { followStep, readTourSteps } from './support/readme.ts';
import { expect, test } from './support/test.ts';

/** The secret and the receiver's URL in the README. */
const SECRET = 'a secret';
const README_URL = 'http://127.0.0.1:8787/';
let receiver: Receiver;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
test.beforeAll(async () => {
  receiver = await startReceiver(SECRET);
});
test.afterAll(() => receiver.stop());

test("follows the README's tour", async ({ page }) => {
  await watchPointer(page);
  const form = page.getByRole('group', { name: 'Create webhook' });
  const steps = readTourSteps().map((step) => step.replace(README_URL, receiver.url));
  /** Types the next step, which must start with the given text. */
  const follow = async (start: string): Promise<void> => {
    const step = steps.shift() ?? '';
    expect(step.slice(0, start.length)).toBe(start);
    await followStep(page, step, (label) => form.getByLabel(label, { exact: true }));
  };

  await test.step('sees a fleet of 2,000 devices', async () => {
    // Skip the sign-in, the second factor, and the tour, which other tests cover.
    steps.splice(0, 3);
    await signIn(page, 'administrator');
    await expect(table(page, 'Devices')).toHaveAttribute('aria-rowcount', '2001');
    await expect(page.getByRole('button', { name: /^Northwind Energy/ })).toBeVisible();
  });

  await test.step('selects all devices in error, far beyond the visible rows', async () => {
    await follow('`/`');
    await expect(page).toHaveURL(/filter=health:ERROR$/);
    await expectFiltered(page);
    const matchedCount = numberIn(await matchCount(page).innerText());
    await follow('`*`');
    await expect(statusLine(page)).toContainText(`→ ${matchedCount} in error`);
    expect(matchedCount).toBeGreaterThan(100);
    expect(matchedCount).toBeGreaterThan(await rows(page, 'Devices').count());
  });

  await test.step('reads the plan to assign a new tag', async () => {
    await follow('`t`');
    await expect(palette(page).getByRole('option', { name: 'Create tag “Needs visit”' })).toBeVisible();
    await expect(plan(page)).toContainText(/Assign “Needs visit” to \d+ devices in Northwind Energy/);
    await expect(plan(page)).toContainText('reversible');
    await expect(plan(page)).toContainText("tag assign health:ERROR --tag 'Needs visit'");
  });

  let taggedCount = 0;
  await test.step('runs exactly that plan', async () => {
    taggedCount = numberIn((await plan(page).innerText()).replace(/^Assign “Needs visit” to /, ''));
    await follow('`Enter`');
    await expect(palette(page)).toBeHidden();
    await expect(toasts(page)).toContainText(`Assigned “Needs visit” to ${taggedCount} devices`);
    await expect(rows(page, 'Devices').nth(1)).toContainText(/Needs visit|\+\d/);
  });

  await test.step('undoes and repeats it', async () => {
    await follow('`u`');
    await expect(toasts(page)).toContainText(`Removed “Needs visit” from ${taggedCount} devices`);
    await follow('`.`');
    const newest = toasts(page).getByRole('listitem').last();
    await expect(newest).toContainText('Assigned “Needs visit”');
    taggedCount = numberIn(await newest.innerText());
    await filterDevices(page, 'tag:"Needs visit"');
    await expect(matchCount(page)).toHaveText(`${taggedCount} devices`);
  });

  await test.step('copies its command line', async () => {
    await follow('`y`');
    await expect(toasts(page)).toContainText('Copied: Last command line');
    await expect.poll(() => readClipboard(page)).toBe("tag assign health:ERROR --tag 'Needs visit'");
  });

  await test.step('creates a webhook for messages from the tagged devices', async () => {
    await follow('`c w`');
    await follow('`Tab` to *Events*');
    await follow('`Tab` to *Tags to listen to*');
    await follow('`Tab` to *Secret*');
    await expect(toasts(page)).toContainText(`for ${receiver.url}`);
  });

  await test.step('gets a signed call as soon as a tagged device sends a message', async () => {
    await expect.poll(() => receiver.lines().join('\n'), { timeout: 60_000 }).toContain('signature OK');
    expect(receiver.lines()[0]).toMatch(/MESSAGE_RECEIVED {2}[0-9A-F]{4} [0-9A-F]{4} .* signature OK {2}delivery \S+$/);
  });

  await test.step('reads that call in the side panel', async () => {
    await follow('`g w`');
    const panel = page.getByRole('article');
    await expect(panel).toContainText(receiver.url);
    await follow('`}`');
    const call = panel.getByRole('button', { name: /Delivered 204 \d+(\.\d)? m?s Message received$/ });
    await expect(call.first()).toBeFocused();
    await expectCellsFit(page, 'History');
    await follow('`Enter`');
    await expect(panel.getByRole('definition').filter({ hasText: '"MESSAGE_RECEIVED"' })).toContainText('"number": "');
    await follow('`Esc`');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await press(page, 'Escape');
    expect(steps).toEqual([]);
  });

  await test.step('copies the command line that created the webhook', async () => {
    await press(page, 'y');
    await enter(page, 'last command');
    await expect(toasts(page)).toContainText('Copied: Last command line');
    await expect
      .poll(() => readClipboard(page))
      .toBe(`webhook create ${receiver.url} --events MESSAGE_RECEIVED --tags 'Needs visit' --secret @ask`);
  });

  await expectNoPointer(page);
});
