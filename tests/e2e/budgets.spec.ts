import type { Page } from '@playwright/test';

import {
  filterDevices,
  matchCount,
  palette,
  plan,
  rows,
  signIn,
  statusLine,
  table,
  toasts,
} from './support/console.ts';
import { press } from './support/keyboard.ts';
import { expect, test } from './support/test.ts';

// The maximum number of keystrokes for a task from the Devices screen: a character counts as one keystroke, and so does
// a key with its modifiers. The person's own input to the task, such as a reason or a URL, doesn't count.

/** Counts keystrokes. */
class Keys {
  count = 0;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Presses keys as the console writes them: `t`, `Shift+T`, `g w`. */
  async press(keys: string): Promise<void> {
    for (const key of keys.split(' ')) {
      await this.page.keyboard.press(key);
      this.count++;
    }
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    this.count += [...text].length;
  }

  /** Types the person's own input. */
  async typeUncounted(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }
}

/** Performs a task with the keyboard and counts the keystrokes. */
async function countKeystrokes(
  page: Page,
  task: string,
  budget: number,
  work: (keys: Keys) => Promise<void>,
): Promise<void> {
  await test.step(task, async () => {
    const keys = new Keys(page);
    await work(keys);
    expect(keys.count, task).toBeLessThanOrEqual(budget);
  });
}

const selectedRow = (page: Page) => palette(page).getByRole('option', { selected: true });
const firstSuggestion = (page: Page) => page.getByRole('listbox').getByRole('option').first();
const newestToast = (page: Page) => toasts(page).getByRole('listitem').last();

test('fleet tasks stay within their keystroke budgets', async ({ page }) => {
  await signIn(page, 'administrator');
  await expect(rows(page, 'Devices').first()).toContainText(/[0-9A-F]{4} [0-9A-F]{4}/);

  let count = '';
  await countKeystrokes(page, 'select all devices in error', 2, async (keys) => {
    await keys.press('2 *');
    await expect(statusLine(page)).toContainText(/→ \d+ in error/);
    count = /\d+/.exec(await statusLine(page).innerText())?.[0] ?? '';
  });
  expect(Number(count)).toBeGreaterThan(100);

  await countKeystrokes(page, 'assign an existing tag to the selection', 5, async (keys) => {
    await keys.press('t');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await keys.type('win');
    await expect(selectedRow(page)).toContainText('Winterized');
    await expect(plan(page)).toContainText('Assign “Winterized”');
    await keys.press('Enter');
    await expect(newestToast(page)).toContainText('Assigned “Winterized”');
  });
  await countKeystrokes(page, 'undo', 1, async (keys) => {
    await keys.press('u');
    await expect(newestToast(page)).toContainText('Removed “Winterized”');
  });
  await countKeystrokes(page, 'repeat', 1, async (keys) => {
    await keys.press('.');
    await expect(newestToast(page)).toContainText('Assigned “Winterized”');
    await expect(palette(page)).toBeHidden();
  });
  await page.keyboard.press('u');
  await expect(newestToast(page)).toContainText('Removed “Winterized”');

  await countKeystrokes(page, 'set the lifecycle of the selection', 5, async (keys) => {
    await keys.press('l');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await keys.type('pau');
    await expect(selectedRow(page)).toContainText('Paused');
    await expect(plan(page)).toContainText('to Paused');
    await keys.press('Enter');
    await expect(newestToast(page)).toContainText('to Paused');
  });
  await page.keyboard.press('u');
  await expect(statusLine(page).getByRole('button', { name: 'Undo' })).toBeHidden();

  await filterDevices(page, 'health:OK');
  const number = /[0-9A-F]{4} [0-9A-F]{4}/.exec(await rows(page, 'Devices').nth(2).innerText())?.[0] ?? '';
  await countKeystrokes(page, 'open a device by its number', 6, async (keys) => {
    await keys.press('Control+k');
    await keys.type(number.slice(0, 4));
    // Don't wait for the result.
    await keys.press('Enter');
    await expect(page.getByRole('article')).toContainText(number);
  });
  await page.keyboard.press('Escape');
});

test('integration tasks stay within their keystroke budgets', async ({ page }) => {
  await signIn(page, 'administrator');
  await countKeystrokes(page, 'create a webhook with an event and a tag', 16, async (keys) => {
    await keys.press('c w');
    await expect(palette(page).getByRole('combobox')).toBeFocused();
    await keys.typeUncounted('https://budget.example/hook');
    await keys.press('Tab');
    const form = page.getByRole('group', { name: 'Create webhook' });
    const events = form.getByRole('combobox', { name: 'Events', exact: true });
    const tags = form.getByRole('combobox', { name: 'Tags to listen to' });
    await expect(form).toBeVisible();
    for (let presses = 0; presses < 5 && !(await events.evaluate((item) => item === document.activeElement)); presses++)
      await keys.press('Tab');
    await keys.type('mr');
    await expect(firstSuggestion(page)).toHaveText(/Message received/);
    await keys.press('Enter');
    for (let presses = 0; presses < 5 && !(await tags.evaluate((item) => item === document.activeElement)); presses++)
      await keys.press('Tab');
    await keys.type('win');
    await expect(firstSuggestion(page)).toHaveText(/Winterized/);
    await keys.press('Enter');
    await keys.press('Control+Enter');
    await expect(newestToast(page)).toContainText('https://budget.example/hook');
  });

  // Nothing listens at that URL, so the webhook fails when a winterized device sends its first message. One device in
  // seventeen is winterized.
  await press(page, 'g w');
  const failing = page.getByRole('group', { name: 'Views' }).getByRole('button', { name: /Failing/ });
  await expect(failing).toContainText('1', { timeout: 60_000 });
  await press(page, 'g d');
  await expect(table(page, 'Devices')).toBeVisible();
  // A plan for several webhooks would also need Enter. Only this webhook is failing, so the command runs immediately.
  await countKeystrokes(page, 'disable all failing webhooks', 5, async (keys) => {
    await keys.press('g w');
    await expect(table(page, 'Webhooks')).toBeVisible();
    await keys.press('2 * p');
    await expect(newestToast(page)).toContainText(/Disabled/);
  });
  await page.keyboard.press('u');
  await expect(newestToast(page)).toContainText(/Enabled/);
});

test('switching to one of 600 organizations and back stays within its keystroke budget', async ({ page }) => {
  await signIn(page, 'support', '/devices');
  for (const [letters, name] of [
    // Organizations without an open support session from another test, which would skip the reason prompt.
    ['cas', /^Cas/],
    ['zst', 'Zephyr Storage'],
  ] as const) {
    await countKeystrokes(page, `act as ${letters}`, 5, async (keys) => {
      await keys.press('o');
      await expect(palette(page).getByRole('combobox')).toBeFocused();
      await keys.type(letters);
      await expect(selectedRow(page)).toContainText(name);
      await keys.press('Enter');
      const reason = palette(page).getByRole('combobox', { name: /Reason/ });
      await expect(reason).toBeFocused();
      await keys.typeUncounted('ticket 4711');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: /acting for/ })).toBeVisible();
    });
    await countKeystrokes(page, 'return', 1, async (keys) => {
      await keys.press('Shift+O');
      await expect(page.getByRole('button', { name: /^Quarterdeck Operations/ })).toBeVisible();
    });
  }
  await expect(matchCount(page)).toBeVisible();
});
